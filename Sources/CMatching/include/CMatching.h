// The inner loops of matching. C because Swift cannot compile one function for a processor feature
// that the rest of the program does not assume.
#ifndef CMATCHING_H
#define CMATCHING_H

#include <stdbool.h>
#include <stdint.h>

// Values of one descriptor.
#define CM_LENGTH 128

#include "CMatchingCodes.h"
#include "CMatchingExtraction.h"

// Whether the processor has AVX2.
bool cm_has_fast(void);

#endif
