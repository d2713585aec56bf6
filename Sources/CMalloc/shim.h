// mallopt, which Swift's module of glibc leaves out.

#ifndef SIGHTLINE_CMALLOC_SHIM_H
#define SIGHTLINE_CMALLOC_SHIM_H

#include <malloc.h>

#endif
