#include "CModelConstruction.h"

_Thread_local struct ModelThread modelThread MODEL_THREAD = {0, 0, 0};
