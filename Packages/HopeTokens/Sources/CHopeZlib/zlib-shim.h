#ifndef HOPE_ZLIB_SHIM_H
#define HOPE_ZLIB_SHIM_H
#include <zlib.h>
#endif
