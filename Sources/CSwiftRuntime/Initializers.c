// Initialisers that Swift declares without a body (`ManagedObjectInitializing`), because a body can't know which
// subclass it was called on: in `type.init(context:)` the metatype is in the register of `self`, out of its reach.

#include "CSwiftRuntime.h"

/// Defined in Swift; consume their parameters and return an object that the caller owns.
extern void *_Nonnull CoreData_makeObject_context(const void *_Nonnull metadata, void *_Nonnull context);
extern void *_Nonnull CoreData_makeObject_entity(
    const void *_Nonnull metadata, void *_Nonnull entity, void *_Nullable context);

SWIFT_CALL void *_Nonnull CoreData_initObject_context(
    void *_Nonnull context, const void *_Nonnull staticType, SWIFT_SELF const void *_Nonnull metadata) {
    return CoreData_makeObject_context(metadata, context);
}

SWIFT_CALL void *_Nonnull CoreData_initObject_entity(
    void *_Nonnull entity, void *_Nullable context, const void *_Nonnull staticType,
    SWIFT_SELF const void *_Nonnull metadata) {
    return CoreData_makeObject_entity(metadata, entity, context);
}
