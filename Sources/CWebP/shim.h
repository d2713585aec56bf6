// libwebp's decoder as one call that an isolated process can make.
//
// WebPDecoderConfig's initialiser is inline and checks the library's version; the rest would do
// from Swift, but Swift must not run in the isolated process.
// Manual: webp/decode.h of libwebp 1.2

#ifndef SIGHTLINE_CWEBP_SHIM_H
#define SIGHTLINE_CWEBP_SHIM_H

#include <string.h>
#include <webp/decode.h>
#include "../CIsolation/shim.h"

typedef struct {
    // Of the whole stored frame, as its header said.
    int frame_width;
    int frame_height;
    // The part of the frame that is wanted.
    int x;
    int y;
    int width;
    int height;
    // What that part is scaled to.
    int scaled_width;
    int scaled_height;
    // 1 for RGBA, 0 for RGB.
    int has_alpha;
    // Where the rows begin in the output, and how far they are apart.
    size_t offset;
    int bytes_per_row;
    size_t output_bytes;
} sl_webp_job;

enum sl_webp_status {
    SL_WEBP_OK = 0,
    SL_WEBP_CORRUPT = 1,
    SL_WEBP_TRUNCATED = 2,
    SL_WEBP_MEMORY = 3,
    SL_WEBP_UNSUPPORTED = 4,
};

static inline int sl_webp_status_of(VP8StatusCode code) {
    switch (code) {
    case VP8_STATUS_OK: return SL_WEBP_OK;
    case VP8_STATUS_NOT_ENOUGH_DATA: return SL_WEBP_TRUNCATED;
    case VP8_STATUS_SUSPENDED: return SL_WEBP_TRUNCATED;
    case VP8_STATUS_OUT_OF_MEMORY: return SL_WEBP_MEMORY;
    case VP8_STATUS_UNSUPPORTED_FEATURE: return SL_WEBP_UNSUPPORTED;
    default: return SL_WEBP_CORRUPT;
    }
}

static inline int sl_webp_decode(const sl_isolated_call *call) {
    const sl_webp_job *job = (const sl_webp_job *)call->parameters;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return SL_WEBP_UNSUPPORTED;
    VP8StatusCode code = WebPGetFeatures(call->bytes, call->count, &config.input);
    if (code != VP8_STATUS_OK) return sl_webp_status_of(code);
    if (config.input.width != job->frame_width || config.input.height != job->frame_height) {
        return SL_WEBP_CORRUPT;
    }
    config.options.use_cropping = 1;
    config.options.crop_left = job->x;
    config.options.crop_top = job->y;
    config.options.crop_width = job->width;
    config.options.crop_height = job->height;
    if (job->scaled_width != job->width || job->scaled_height != job->height) {
        config.options.use_scaling = 1;
        config.options.scaled_width = job->scaled_width;
        config.options.scaled_height = job->scaled_height;
    }
    config.output.colorspace = job->has_alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = call->output + job->offset;
    config.output.u.RGBA.stride = job->bytes_per_row;
    config.output.u.RGBA.size = job->output_bytes - job->offset;
    code = WebPDecode(call->bytes, call->count, &config);
    WebPFreeDecBuffer(&config.output);
    return sl_webp_status_of(code);
}

#endif
