#include "CModelConstruction.h"

_Thread_local void *_Nullable modelUnderConstruction = 0;
_Thread_local int observationIsTracking = 0;
_Thread_local const void *_Nullable keyPathReader = 0;
