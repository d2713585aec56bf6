// Little CMS as one call that an isolated process can make: what colours a profile gives to inks.
// Manual: lcms2.h of Little CMS 2.14

#ifndef SIGHTLINE_CLCMS_SHIM_H
#define SIGHTLINE_CLCMS_SHIM_H

#include <lcms2.h>
#include "../CIsolation/shim.h"

// Nodes along each of the four inks, as Little CMS takes them itself.
enum { SL_LCMS_NODES = 17 };

enum sl_lcms_status { SL_LCMS_OK = 0, SL_LCMS_REFUSED = 1 };

static inline size_t sl_lcms_grid_bytes(void) {
    size_t nodes = SL_LCMS_NODES;
    return nodes * nodes * nodes * nodes * 3 * sizeof(cmsUInt16Number);
}

// Writes red, green and blue of sRGB, 0 to 65535, for each combination of amounts of ink: cyan
// changes slowest, then magenta, yellow and black.
static inline int sl_lcms_make_grid(const sl_isolated_call *call) {
    cmsHPROFILE inks = cmsOpenProfileFromMem(call->bytes, (cmsUInt32Number)call->count);
    if (!inks || cmsGetColorSpace(inks) != cmsSigCmykData) return SL_LCMS_REFUSED;
    // Not optimised, which would take such a grid of it first.
    cmsHTRANSFORM transform = cmsCreateTransform(
        inks, TYPE_CMYK_16, cmsCreate_sRGBProfile(), TYPE_RGB_16, INTENT_PERCEPTUAL,
        cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE);
    if (!transform) return SL_LCMS_REFUSED;
    cmsUInt16Number *output = (cmsUInt16Number *)call->output;
    cmsUInt16Number row[SL_LCMS_NODES][4];
    size_t rows = SL_LCMS_NODES * SL_LCMS_NODES * SL_LCMS_NODES;
    for (size_t at = 0; at < rows; at++) {
        size_t places[3] = {
            at / SL_LCMS_NODES / SL_LCMS_NODES, at / SL_LCMS_NODES % SL_LCMS_NODES,
            at % SL_LCMS_NODES};
        for (size_t black = 0; black < SL_LCMS_NODES; black++) {
            for (size_t ink = 0; ink < 4; ink++) {
                size_t place = ink < 3 ? places[ink] : black;
                row[black][ink] = (cmsUInt16Number)(place * 65535 / (SL_LCMS_NODES - 1));
            }
        }
        cmsDoTransform(transform, row, output + at * SL_LCMS_NODES * 3, SL_LCMS_NODES);
    }
    return SL_LCMS_OK;
}

#endif
