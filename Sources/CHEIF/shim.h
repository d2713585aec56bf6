// libheif's decoder as two calls that an isolated process can make: Swift must not run there.
// Manual: libheif/heif.h of libheif 1.15

#ifndef SIGHTLINE_CHEIF_SHIM_H
#define SIGHTLINE_CHEIF_SHIM_H

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <libheif/heif.h>
#include "../CIsolation/shim.h"

typedef struct {
    // The upright size that the header said, and the part of it that is wanted; not for the head.
    int whole_width;
    int whole_height;
    int x;
    int y;
    int width;
    int height;
    // 1 for RGBA, 0 for RGB.
    int has_alpha;
} sl_heif_job;

// Places of what is read of a head.
enum sl_heif_value {
    SL_HEIF_WIDTH = 0,
    SL_HEIF_HEIGHT = 1,
    SL_HEIF_ALPHA = 2,
    SL_HEIF_BITS = 3,
    SL_HEIF_PICTURES = 4,
};

enum sl_heif_status {
    SL_HEIF_OK = 0,
    SL_HEIF_CORRUPT = 1,
    SL_HEIF_TRUNCATED = 2,
    SL_HEIF_MEMORY = 3,
    SL_HEIF_UNSUPPORTED = 4,
};

static inline int sl_heif_status_of(struct heif_error error, char *message, size_t size) {
    if (error.code == heif_error_Ok) return SL_HEIF_OK;
    snprintf(message, size, "%s", error.message ? error.message : "");
    if (error.subcode == heif_suberror_End_of_data) return SL_HEIF_TRUNCATED;
    if (error.subcode == heif_suberror_Security_limit_exceeded) return SL_HEIF_MEMORY;
    switch (error.code) {
    case heif_error_Memory_allocation_error: return SL_HEIF_MEMORY;
    case heif_error_Unsupported_filetype: return SL_HEIF_UNSUPPORTED;
    case heif_error_Unsupported_feature: return SL_HEIF_UNSUPPORTED;
    default: return SL_HEIF_CORRUPT;
    }
}

// Opens the main picture; the process ends soon, and gives back what is taken here.
static inline struct heif_error sl_heif_open(
    const sl_isolated_call *call, struct heif_context **context, struct heif_image_handle **handle) {
    *context = heif_context_alloc();
    heif_context_set_max_decoding_threads(*context, 0);
    struct heif_error error =
        heif_context_read_from_memory_without_copy(*context, call->bytes, call->count, NULL);
    if (error.code != heif_error_Ok) return error;
    return heif_context_get_primary_image_handle(*context, handle);
}

static inline int sl_heif_read_head(const sl_isolated_call *call) {
    struct heif_context *context = NULL;
    struct heif_image_handle *handle = NULL;
    struct heif_error error = sl_heif_open(call, &context, &handle);
    if (error.code != heif_error_Ok) return sl_heif_status_of(error, call->message, call->message_size);
    call->values[SL_HEIF_WIDTH] = heif_image_handle_get_width(handle);
    call->values[SL_HEIF_HEIGHT] = heif_image_handle_get_height(handle);
    call->values[SL_HEIF_ALPHA] = heif_image_handle_has_alpha_channel(handle);
    call->values[SL_HEIF_BITS] = heif_image_handle_get_luma_bits_per_pixel(handle);
    call->values[SL_HEIF_PICTURES] = heif_context_get_number_of_top_level_images(context);
    return SL_HEIF_OK;
}

// dav1d starts a thread for each processor that it may use.
static inline void sl_heif_use_one_processor(void) {
    unsigned int processor = 0;
    unsigned long mask[16] = {0};
    if (syscall(SYS_getcpu, &processor, NULL, NULL) != 0 || processor >= 8 * sizeof mask) return;
    mask[processor / (8 * sizeof mask[0])] = 1UL << processor % (8 * sizeof mask[0]);
    syscall(SYS_sched_setaffinity, 0, sizeof mask, mask);
}

// Copies a row; of colours that were multiplied by their alpha, takes that back.
static inline void sl_heif_copy(
    const unsigned char *row, unsigned char *output, size_t bytes, int is_multiplied) {
    memcpy(output, row, bytes);
    for (size_t at = 0; is_multiplied && at + 3 < bytes; at += 4) {
        unsigned int alpha = row[at + 3];
        for (int channel = 0; channel < 3 && alpha > 0; channel++) {
            unsigned int value = (row[at + channel] * 255u + alpha / 2) / alpha;
            output[at + channel] = (unsigned char)(value > 255 ? 255 : value);
        }
    }
}

// Writes the wanted part's rows without padding.
static inline int sl_heif_decode(const sl_isolated_call *call) {
    const sl_heif_job *job = (const sl_heif_job *)call->parameters;
    sl_heif_use_one_processor();
    struct heif_context *context = NULL;
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    struct heif_error error = sl_heif_open(call, &context, &handle);
    if (error.code != heif_error_Ok) return sl_heif_status_of(error, call->message, call->message_size);
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    options->convert_hdr_to_8bit = 1;
    options->strict_decoding = 1;
    error = heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        job->has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options);
    if (error.code != heif_error_Ok) return sl_heif_status_of(error, call->message, call->message_size);
    int stride = 0;
    const unsigned char *rows =
        heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    if (!rows || heif_image_get_width(image, heif_channel_interleaved) != job->whole_width
        || heif_image_get_height(image, heif_channel_interleaved) != job->whole_height) {
        snprintf(
            call->message, call->message_size, "the picture has another size than its header says");
        return SL_HEIF_CORRUPT;
    }
    size_t pixel = job->has_alpha ? 4 : 3;
    for (int y = 0; y < job->height; y++) {
        sl_heif_copy(
            rows + (size_t)(job->y + y) * stride + job->x * pixel,
            call->output + (size_t)y * job->width * pixel, job->width * pixel,
            job->has_alpha && heif_image_is_premultiplied_alpha(image));
    }
    return SL_HEIF_OK;
}

#endif
