// The Swift runtime's primitive behind weak references, which Swift itself doesn't offer for raw addresses.

#pragma once

/// Retains a Swift object unless its destruction has begun; NULL then. The memory must still be there.
void *_Nullable swift_tryRetain(void *_Nullable object);
