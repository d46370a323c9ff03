// Parts of the Swift runtime that Swift itself doesn't offer.

#pragma once

/// The primitive behind weak references, for raw addresses: retains a Swift object unless its destruction has begun;
/// NULL then. The memory must still be there.
void *_Nullable swift_tryRetain(void *_Nullable object);

/// What a call of a method, given by its descriptor in a class's descriptor, runs for objects of a subclass. It is what
/// calls across resilient modules go by.
void *_Nullable swift_lookUpClassMethod(
    const void *_Nonnull metadata, const void *_Nonnull method, const void *_Nonnull description);

// The descriptors of `NSManagedObject` and of some of its methods, by their mangled names: a method that is renamed
// doesn't link.
#define COREDATA_DESCRIPTOR(name, symbol)                      \
    extern const char name##Descriptor __asm__(symbol);         \
    static inline const void *_Nonnull name(void) { return &name##Descriptor; }

COREDATA_DESCRIPTOR(managedObjectDescriptor, "$s8CoreData15NSManagedObjectCMn")
COREDATA_DESCRIPTOR(managedObjectWillSave, "$s8CoreData15NSManagedObjectC8willSaveyyFTq")
COREDATA_DESCRIPTOR(managedObjectDidSave, "$s8CoreData15NSManagedObjectC7didSaveyyFTq")
COREDATA_DESCRIPTOR(managedObjectValidateForInsert, "$s8CoreData15NSManagedObjectC17validateForInsertyyKFTq")
COREDATA_DESCRIPTOR(managedObjectValidateForUpdate, "$s8CoreData15NSManagedObjectC17validateForUpdateyyKFTq")
COREDATA_DESCRIPTOR(managedObjectValidateForDelete, "$s8CoreData15NSManagedObjectC17validateForDeleteyyKFTq")
COREDATA_DESCRIPTOR(
    managedObjectValidateValue, "$s8CoreData15NSManagedObjectC13validateValue_6forKeyyypSgz_SStKFTq")
