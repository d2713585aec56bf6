// libjpeg-turbo's classic interface behind guards.
//
// libjpeg reports errors by longjmp, which must not cross Swift frames: every call that can fail is
// made here, below a setjmp of its own, and returns a status. Nothing is printed.
// Manual: libjpeg.txt of libjpeg-turbo 2.1

#ifndef SIGHTLINE_CJPEG_SHIM_H
#define SIGHTLINE_CJPEG_SHIM_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

enum sl_jpeg_status {
    SL_JPEG_OK = 0,
    SL_JPEG_CORRUPT = 1,
    SL_JPEG_TRUNCATED = 2,
    SL_JPEG_UNSUPPORTED = 3,
    SL_JPEG_MEMORY = 4,
};

// What both directions share, and the first member of both; libjpeg's client_data points here.
typedef struct {
    struct jpeg_error_mgr errors;
    jmp_buf jump;
    int status;
    int has_damage;
    char message[JMSG_LENGTH_MAX];
} sl_jpeg_guard;

typedef struct {
    sl_jpeg_guard guard;
    struct jpeg_decompress_struct info;
    struct jpeg_source_mgr source;
} sl_jpeg_reader;

typedef struct {
    sl_jpeg_guard guard;
    struct jpeg_compress_struct info;
    struct jpeg_destination_mgr target;
    unsigned char *bytes;
    size_t count;
    size_t capacity;
} sl_jpeg_writer;

static inline void sl_jpeg_fail(j_common_ptr info, int status) {
    sl_jpeg_guard *guard = (sl_jpeg_guard *)info->client_data;
    guard->status = status;
    info->err->format_message(info, guard->message);
    longjmp(guard->jump, 1);
}

static inline void sl_jpeg_on_error(j_common_ptr info) {
    switch (info->err->msg_code) {
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_J_COLORSPACE:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
        sl_jpeg_fail(info, SL_JPEG_UNSUPPORTED);
        break;
    case JERR_OUT_OF_MEMORY:
        sl_jpeg_fail(info, SL_JPEG_MEMORY);
        break;
    default:
        sl_jpeg_fail(info, SL_JPEG_CORRUPT);
        break;
    }
}

// libjpeg goes on after damage in a scan and makes up the pixels that it hides; that is noted. The
// other warnings are about what leaves the pixels whole.
static inline void sl_jpeg_on_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    switch (info->err->msg_code) {
    case JWRN_JPEG_EOF:
        sl_jpeg_fail(info, SL_JPEG_TRUNCATED);
        break;
    case JWRN_ARITH_BAD_CODE:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
        ((sl_jpeg_guard *)info->client_data)->has_damage = 1;
        break;
    default:
        break;
    }
}

static inline void sl_jpeg_on_output(j_common_ptr info) { (void)info; }

static inline void sl_jpeg_guard_info(sl_jpeg_guard *guard) {
    jpeg_std_error(&guard->errors);
    guard->errors.error_exit = sl_jpeg_on_error;
    guard->errors.emit_message = sl_jpeg_on_message;
    guard->errors.output_message = sl_jpeg_on_output;
}

static inline void sl_jpeg_source_ignore(j_decompress_ptr info) { (void)info; }

// All bytes were there from the start: to want more means that the file ends too early.
static inline boolean sl_jpeg_source_fill(j_decompress_ptr info) {
    info->err->msg_code = JWRN_JPEG_EOF;
    sl_jpeg_fail((j_common_ptr)info, SL_JPEG_TRUNCATED);
    return FALSE;
}

static inline void sl_jpeg_source_skip(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *source = info->src;
    if (count <= 0) return;
    if ((size_t)count > source->bytes_in_buffer) {
        (void)sl_jpeg_source_fill(info);
        return;
    }
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

static inline void sl_jpeg_close_reader(sl_jpeg_reader *reader) {
    // Safe after an error too, and on a struct that was never created: its `mem` is null.
    jpeg_destroy_decompress(&reader->info);
    free(reader);
}

// Reads up to the pixels. The bytes must outlive the reader.
// Returns NULL only without memory; else look at guard.status, and close it in any case.
static inline sl_jpeg_reader *sl_jpeg_open_reader(const unsigned char *bytes, size_t count) {
    sl_jpeg_reader *reader = (sl_jpeg_reader *)calloc(1, sizeof *reader);
    if (!reader) return NULL;
    sl_jpeg_guard_info(&reader->guard);
    reader->info.err = &reader->guard.errors;
    reader->info.client_data = &reader->guard;
    if (setjmp(reader->guard.jump)) return reader;
    jpeg_create_decompress(&reader->info);
    reader->source.init_source = sl_jpeg_source_ignore;
    reader->source.fill_input_buffer = sl_jpeg_source_fill;
    reader->source.skip_input_data = sl_jpeg_source_skip;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = sl_jpeg_source_ignore;
    reader->source.next_input_byte = bytes;
    reader->source.bytes_in_buffer = count;
    reader->info.src = &reader->source;
    jpeg_read_header(&reader->info, TRUE);
    return reader;
}

// Begins to decode, with sides divided by `reduction` (1, 2, 4 or 8), to RGB, or to CMYK if the file
// has four components. A picture of several scans waits for sl_jpeg_read_scans then.
static inline int sl_jpeg_start(sl_jpeg_reader *reader, int reduction) {
    if (setjmp(reader->guard.jump)) return reader->guard.status;
    reader->info.scale_num = 8 / (unsigned int)reduction;
    reader->info.scale_denom = 8;
    reader->info.out_color_space = reader->info.num_components == 4 ? JCS_CMYK : JCS_RGB;
    reader->info.dct_method = JDCT_ISLOW;
    reader->info.do_fancy_upsampling = TRUE;
    reader->info.do_block_smoothing = TRUE;
    reader->info.buffered_image = jpeg_has_multiple_scans(&reader->info);
    jpeg_start_decompress(&reader->info);
    return SL_JPEG_OK;
}

// Of a picture of several scans, reads a little more, one row of blocks of one scan at most; sets
// `done` to 1 once all have been read and rows can be read.
static inline int sl_jpeg_read_scans(sl_jpeg_reader *reader, int *done) {
    if (setjmp(reader->guard.jump)) return reader->guard.status;
    if (jpeg_consume_input(&reader->info) != JPEG_REACHED_EOI) return SL_JPEG_OK;
    jpeg_start_output(&reader->info, reader->info.input_scan_number);
    *done = 1;
    return SL_JPEG_OK;
}

// Limits the rows to some columns; both numbers are widened to whole blocks.
static inline int sl_jpeg_crop(sl_jpeg_reader *reader, unsigned int *x, unsigned int *width) {
    if (setjmp(reader->guard.jump)) return reader->guard.status;
    jpeg_crop_scanline(&reader->info, x, width);
    return SL_JPEG_OK;
}

static inline int sl_jpeg_skip_rows(sl_jpeg_reader *reader, unsigned int count) {
    if (setjmp(reader->guard.jump)) return reader->guard.status;
    jpeg_skip_scanlines(&reader->info, count);
    return SL_JPEG_OK;
}

static inline int sl_jpeg_read_row(sl_jpeg_reader *reader, unsigned char *row) {
    if (setjmp(reader->guard.jump)) return reader->guard.status;
    JSAMPROW rows[1] = {row};
    jpeg_read_scanlines(&reader->info, rows, 1);
    return SL_JPEG_OK;
}

// How a JPEG file is written. `samples` is rows without padding of 1 (grey), 3 (RGB) or 4 (CMYK)
// bytes a pixel.
typedef struct {
    int components;
    int quality;
    int horizontal_sampling;
    int vertical_sampling;
    int restart_rows;
    int is_progressive;
} sl_jpeg_options;

static inline void sl_jpeg_target_begin(j_compress_ptr info) { (void)info; }

// The buffer is full, whatever free_in_buffer says: make it larger and go on behind what it holds.
// jpeg_mem_dest would do, but loses track of its buffer when an error ends the writing.
static inline boolean sl_jpeg_target_grow(j_compress_ptr info) {
    sl_jpeg_writer *writer = (sl_jpeg_writer *)info->client_data;
    size_t held = writer->capacity;
    size_t capacity = held * 2 + 16384;
    unsigned char *bytes = (unsigned char *)realloc(writer->bytes, capacity);
    if (!bytes) {
        info->err->msg_code = JERR_OUT_OF_MEMORY;
        sl_jpeg_fail((j_common_ptr)info, SL_JPEG_MEMORY);
    }
    writer->bytes = bytes;
    writer->capacity = capacity;
    writer->target.next_output_byte = bytes + held;
    writer->target.free_in_buffer = capacity - held;
    return TRUE;
}

static inline void sl_jpeg_target_end(j_compress_ptr info) {
    sl_jpeg_writer *writer = (sl_jpeg_writer *)info->client_data;
    writer->count = writer->capacity - writer->target.free_in_buffer;
}

static inline void sl_jpeg_close_writer(sl_jpeg_writer *writer) {
    jpeg_destroy_compress(&writer->info);
    free(writer->bytes);
    free(writer);
}

// Writes into the writer's own bytes.
// Returns NULL only without memory; else look at guard.status, and close it in any case.
static inline sl_jpeg_writer *sl_jpeg_write(
    const unsigned char *samples, unsigned int width, unsigned int height,
    sl_jpeg_options options) {
    sl_jpeg_writer *writer = (sl_jpeg_writer *)calloc(1, sizeof *writer);
    if (!writer) return NULL;
    sl_jpeg_guard_info(&writer->guard);
    writer->info.err = &writer->guard.errors;
    writer->info.client_data = &writer->guard;
    if (setjmp(writer->guard.jump)) return writer;
    jpeg_create_compress(&writer->info);
    writer->target.init_destination = sl_jpeg_target_begin;
    writer->target.empty_output_buffer = sl_jpeg_target_grow;
    writer->target.term_destination = sl_jpeg_target_end;
    writer->info.dest = &writer->target;
    sl_jpeg_target_grow(&writer->info);
    writer->info.image_width = width;
    writer->info.image_height = height;
    writer->info.input_components = options.components;
    writer->info.in_color_space = options.components == 1 ? JCS_GRAYSCALE
        : options.components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&writer->info);
    jpeg_set_quality(&writer->info, options.quality, TRUE);
    writer->info.dct_method = JDCT_ISLOW;
    writer->info.comp_info[0].h_samp_factor = options.horizontal_sampling;
    writer->info.comp_info[0].v_samp_factor = options.vertical_sampling;
    writer->info.restart_in_rows = options.restart_rows;
    if (options.is_progressive) jpeg_simple_progression(&writer->info);
    jpeg_start_compress(&writer->info, TRUE);
    while (writer->info.next_scanline < height) {
        JSAMPROW rows[1] = {
            (JSAMPROW)(samples + (size_t)options.components * width * writer->info.next_scanline)};
        jpeg_write_scanlines(&writer->info, rows, 1);
    }
    jpeg_finish_compress(&writer->info);
    return writer;
}

#endif
