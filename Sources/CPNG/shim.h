// libpng's classic interface behind guards.
//
// libpng reports errors by longjmp, which must not cross Swift frames: every call that can fail is
// made here, below a setjmp of its own, and returns a status. Nothing is printed.
// Manual: http://www.libpng.org/pub/png/libpng-manual.txt

#ifndef SIGHTLINE_CPNG_SHIM_H
#define SIGHTLINE_CPNG_SHIM_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <png.h>

enum sl_png_status {
    SL_PNG_OK = 0,
    SL_PNG_CORRUPT = 1,
    SL_PNG_TRUNCATED = 2,
    SL_PNG_MEMORY = 3,
};

// What both directions share; libpng's error pointer points here.
typedef struct {
    jmp_buf jump;
    int status;
    char message[128];
} sl_png_guard;

typedef struct {
    sl_png_guard guard;
    png_structp png;
    png_infop info;
    const unsigned char *bytes;
    size_t count;
    size_t offset;
} sl_png_reader;

typedef struct {
    sl_png_guard guard;
    png_structp png;
    png_infop info;
    unsigned char *bytes;
    size_t count;
    size_t capacity;
} sl_png_writer;

static inline void sl_png_on_error(png_structp png, png_const_charp text) {
    sl_png_guard *guard = (sl_png_guard *)png_get_error_ptr(png);
    if (guard->status == SL_PNG_OK) guard->status = SL_PNG_CORRUPT;
    snprintf(guard->message, sizeof guard->message, "%s", text ? text : "");
    longjmp(guard->jump, 1);
}

// Warnings are about what does not change the pixels, such as a broken text chunk.
static inline void sl_png_on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static inline void sl_png_on_read(png_structp png, png_bytep to, size_t count) {
    sl_png_reader *reader = (sl_png_reader *)png_get_io_ptr(png);
    if (count > reader->count - reader->offset) {
        reader->guard.status = SL_PNG_TRUNCATED;
        png_error(png, "the bytes end inside a chunk");
    }
    memcpy(to, reader->bytes + reader->offset, count);
    reader->offset += count;
}

static inline void sl_png_on_write(png_structp png, png_bytep from, size_t count) {
    sl_png_writer *writer = (sl_png_writer *)png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = writer->capacity * 2 + count + 4096;
        unsigned char *bytes = (unsigned char *)realloc(writer->bytes, capacity);
        if (!bytes) {
            writer->guard.status = SL_PNG_MEMORY;
            png_error(png, "out of memory");
        }
        writer->bytes = bytes;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, from, count);
    writer->count += count;
}

static inline void sl_png_on_flush(png_structp png) { (void)png; }

static inline void sl_png_close_reader(sl_png_reader *reader) {
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

// Reads up to the pixels and asks for rows of 8-bit RGB or RGBA. The bytes must outlive the reader.
// `gamma` is the stored one in hundred-thousandths, to be brought to sRGB's; 0 leaves it alone.
// Returns NULL only without memory; else look at guard.status, and close it in any case.
static inline sl_png_reader *sl_png_open_reader(
    const unsigned char *bytes, size_t count, int gamma) {
    sl_png_reader *reader = (sl_png_reader *)calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->guard.jump)) return reader;
    reader->png = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, &reader->guard, sl_png_on_error, sl_png_on_warning);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader->info) {
        reader->guard.status = SL_PNG_MEMORY;
        return reader;
    }
    png_set_read_fn(reader->png, reader, sl_png_on_read);
    // The limits are the caller's, and were checked before.
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // No chunk but IHDR, PLTE, tRNS and IDAT is read: profiles, texts and the like may be large.
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_benign_errors(reader->png, 1);
    // The caller checks the short chunks; the pixels have a checksum of their own inside.
    png_set_crc_action(reader->png, PNG_CRC_QUIET_USE, PNG_CRC_DEFAULT);
    png_read_info(reader->png, reader->info);
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);
    png_set_gray_to_rgb(reader->png);
    if (gamma > 0) png_set_gamma_fixed(reader->png, PNG_DEFAULT_sRGB, gamma);
    png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    return reader;
}

static inline size_t sl_png_row_bytes(sl_png_reader *reader) {
    return png_get_rowbytes(reader->png, reader->info);
}
static inline int sl_png_channels(sl_png_reader *reader) {
    return png_get_channels(reader->png, reader->info);
}
static inline size_t sl_png_width(sl_png_reader *reader) {
    return png_get_image_width(reader->png, reader->info);
}
static inline size_t sl_png_height(sl_png_reader *reader) {
    return png_get_image_height(reader->png, reader->info);
}

// Reads one row; of an interlaced picture, adds one pass's pixels to a row that is read seven times.
static inline int sl_png_read_row(sl_png_reader *reader, unsigned char *row) {
    if (setjmp(reader->guard.jump)) return reader->guard.status;
    png_read_row(reader->png, row, NULL);
    return SL_PNG_OK;
}

// Reads what follows the last row and checks the last checksums.
static inline int sl_png_finish(sl_png_reader *reader) {
    if (setjmp(reader->guard.jump)) return reader->guard.status;
    png_read_end(reader->png, NULL);
    return SL_PNG_OK;
}

static inline void sl_png_close_writer(sl_png_writer *writer) {
    if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}

// Writes 8-bit RGB rows without padding into the writer's own bytes.
// Returns NULL only without memory; else look at guard.status, and close it in any case.
static inline sl_png_writer *sl_png_write(
    const unsigned char *rgb, unsigned int width, unsigned int height) {
    sl_png_writer *writer = (sl_png_writer *)calloc(1, sizeof *writer);
    if (!writer) return NULL;
    if (setjmp(writer->guard.jump)) return writer;
    writer->png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, &writer->guard, sl_png_on_error, sl_png_on_warning);
    if (writer->png) writer->info = png_create_info_struct(writer->png);
    if (!writer->info) {
        writer->guard.status = SL_PNG_MEMORY;
        return writer;
    }
    png_set_write_fn(writer->png, writer, sl_png_on_write, sl_png_on_flush);
    png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(
        writer->png, writer->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(writer->png, writer->info);
    for (unsigned int y = 0; y < height; y++) {
        png_write_row(writer->png, rgb + (size_t)3 * width * y);
    }
    png_write_end(writer->png, NULL);
    return writer;
}

#endif
