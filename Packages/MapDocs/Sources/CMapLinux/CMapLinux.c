#include "CMapLinux.h"
