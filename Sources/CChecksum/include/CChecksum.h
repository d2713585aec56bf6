#ifndef SIGHTLINE_CCHECKSUM_H
#define SIGHTLINE_CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Whether this processor has instructions for CRC-32C.
int sl_crc32c_has_instructions(void);

/// Goes on with a CRC-32C register, which begins as ~0 and is inverted at the end. Only where
/// `sl_crc32c_has_instructions` says so.
uint32_t sl_crc32c_update(uint32_t state, const void *bytes, size_t count);

#endif
