// The functions are all inline; a target needs a source file.
#include "CTransportLinux.h"
