// Parts of the Swift runtime that Swift itself doesn't offer.

#pragma once

#include <stdint.h>

/// The primitive behind weak references, for raw addresses: retains a Swift object unless its destruction has begun;
/// NULL then. The memory must still be there.
void *_Nullable swift_tryRetain(void *_Nullable object);

/// Returns the code that a call of a method, given by its descriptor in a class's descriptor, runs for objects of a
/// subclass. Calls across resilient modules go by it.
void *_Nonnull swift_lookUpClassMethod(
    const void *_Nonnull metadata, const void *_Nonnull method, const void *_Nonnull description);

/// Calls a function for each loaded image that has Swift types, with the addresses of its sections, until the function
/// returns false.
void swift_enumerateAllMetadataSections(
    _Bool (*_Nonnull body)(const void *_Nonnull sections, void *_Nullable context), void *_Nullable context);

/// The metadata of a type, given the function that its descriptor names. The type must not be generic.
static inline const void *_Nullable metadataFromAccessFunction(const void *_Nonnull function) {
    struct Response { const void *value; __SIZE_TYPE__ state; };
    typedef __attribute__((swiftcall)) struct Response (*AccessFunction)(__SIZE_TYPE__ request);
    return ((AccessFunction)function)(0).value;
}

// The descriptors of `NSManagedObject` and of some of its methods, by their mangled names: a method that is renamed
// doesn't link.
#define COREDATA_DESCRIPTOR(name, symbol)                      \
    extern const char name##Descriptor __asm__(symbol);         \
    static inline const void *_Nonnull name(void) { return &name##Descriptor; }

// Foundation's, for the same purpose.
COREDATA_DESCRIPTOR(objectDescriptor, "$s10Foundation8NSObjectCMn")
COREDATA_DESCRIPTOR(objectIsEqualMethod, "$s10Foundation8NSObjectC7isEqualySbypSgFTq")
COREDATA_DESCRIPTOR(objectHashMethod, "$s10Foundation8NSObjectC4hashSivgTq")
COREDATA_DESCRIPTOR(objectDescriptionMethod, "$s10Foundation8NSObjectC11descriptionSSvgTq")
COREDATA_DESCRIPTOR(predicateDescriptor, "$s10Foundation11NSPredicateCMn")
COREDATA_DESCRIPTOR(predicateFormatMethod, "$s10Foundation11NSPredicateC15predicateFormatSSvgTq")
COREDATA_DESCRIPTOR(predicateCopyMethod, "$s10Foundation11NSPredicateC4copy4withypAA6NSZoneVSg_tFTq")
COREDATA_DESCRIPTOR(managedObjectDescriptor, "$s8CoreData15NSManagedObjectCMn")
COREDATA_DESCRIPTOR(managedObjectWillSave, "$s8CoreData15NSManagedObjectC8willSaveyyFTq")
COREDATA_DESCRIPTOR(managedObjectDidSave, "$s8CoreData15NSManagedObjectC7didSaveyyFTq")
COREDATA_DESCRIPTOR(managedObjectValidateForInsert, "$s8CoreData15NSManagedObjectC17validateForInsertyyKFTq")
COREDATA_DESCRIPTOR(managedObjectValidateForUpdate, "$s8CoreData15NSManagedObjectC17validateForUpdateyyKFTq")
COREDATA_DESCRIPTOR(managedObjectValidateForDelete, "$s8CoreData15NSManagedObjectC17validateForDeleteyyKFTq")
COREDATA_DESCRIPTOR(
    managedObjectValidateValue, "$s8CoreData15NSManagedObjectC13validateValue_6forKeyyypSgz_SStKFTq")
COREDATA_DESCRIPTOR(
    managedObjectValidateValueAtPointer,
    "$s8CoreData15NSManagedObjectC13validateValue_6forKeyyAA33AutoreleasingUnsafeMutablePointerVyyXlSgG_SStKFTq")
COREDATA_DESCRIPTOR(managedObjectSetNilValueForKey, "$s8CoreData15NSManagedObjectC17setNilValueForKeyyySSFTq")
COREDATA_DESCRIPTOR(
    managedObjectInit,
    "$s8CoreData15NSManagedObjectC6entity10insertIntoAcA19NSEntityDescriptionC_AA0cD7ContextCSgtcfCTq")
COREDATA_DESCRIPTOR(persistentStoreDescriptor, "$s8CoreData17NSPersistentStoreCMn")
COREDATA_DESCRIPTOR(
    persistentStoreInit,
    "$s8CoreData17NSPersistentStoreC010persistentD11Coordinator17configurationName2at7optionsAc"
    "A0cdF0CSg_SSSg20FoundationEssentials3URLVSDys11AnyHashableVypGSgtcfCTq")
COREDATA_DESCRIPTOR(objectInit, "$s10Foundation8NSObjectCACycfCTq")

// Initialisers of subclasses. Swift lets a class be made by its metatype only through a `required` initialiser, which
// each subclass with initialisers of its own must then repeat; Apple's classes ask nothing of theirs. The allocating
// initialiser stands in every class's table all the same. Code that calls it here takes the place of a call that Swift
// refuses: parameters are consumed and the metatype is passed as `self`, as Swift does.

#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

/// Runs an allocating `init()`. Returns an object that the caller owns.
static inline void *_Nonnull allocateObject(const void *_Nonnull initializer, const void *_Nonnull metadata) {
    typedef SWIFT_CALL void *_Nonnull (*Initializer)(SWIFT_SELF const void *_Nonnull);
    return ((Initializer)initializer)(metadata);
}

/// Runs an allocating initialiser of two parameters that are references.
static inline void *_Nonnull allocateObjectOf2(
    const void *_Nonnull initializer, const void *_Nonnull metadata, void *_Nullable first, void *_Nullable second) {
    typedef SWIFT_CALL void *_Nonnull (*Initializer)(
        void *_Nullable, void *_Nullable, SWIFT_SELF const void *_Nonnull);
    return ((Initializer)initializer)(first, second, metadata);
}

/// Runs an allocating initialiser whose parameters lie in six words.
static inline void *_Nonnull allocateObjectOf6(
    const void *_Nonnull initializer, const void *_Nonnull metadata, const uintptr_t *_Nonnull words) {
    typedef SWIFT_CALL void *_Nonnull (*Initializer)(
        uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, SWIFT_SELF const void *_Nonnull);
    return ((Initializer)initializer)(words[0], words[1], words[2], words[3], words[4], words[5], metadata);
}

// Foundation's `NSExpression` and `NSComparisonPredicate` have no initialiser that may be called. Their subclasses here
// are made as zeros, by the initialisers of the classes above them: `NSObject.init()` and `NSPredicate.init(value:)`.

void *_Nonnull swift_allocObject(const void *_Nonnull metadata, uintptr_t size, uintptr_t alignmentMask);
extern SWIFT_CALL void *_Nonnull initializeObject(SWIFT_SELF void *_Nonnull object)
    __asm__("$s10Foundation8NSObjectCACycfc");
extern SWIFT_CALL void *_Nonnull initializePredicate(_Bool value, SWIFT_SELF void *_Nonnull predicate)
    __asm__("$s10Foundation11NSPredicateC5valueACSb_tcfc");

/// The bytes of a class's objects before and behind their address.
typedef struct {
    uintptr_t negative, positive;
} ClassExtents;
SWIFT_CALL ClassExtents _swift_getSwiftClassInstanceExtents(const void *_Nonnull metadata);

/// A new object whose fields are zeros; its header isn't.
static inline void *_Nonnull allocateZeros(const void *_Nonnull metadata) {
    const uintptr_t header = 2 * sizeof(void *);
    const uintptr_t size = _swift_getSwiftClassInstanceExtents(metadata).positive;
    void *object = swift_allocObject(metadata, size, 15);
    __builtin_memset((char *)object + header, 0, size - header);
    return object;
}

/// A new object of a class that derives from `NSObject`, initialised as one.
static inline void *_Nonnull allocateAsObject(const void *_Nonnull metadata) {
    return initializeObject(allocateZeros(metadata));
}

/// A new object of a class that derives from `NSPredicate`, initialised as one that is false.
static inline void *_Nonnull allocateAsPredicate(const void *_Nonnull metadata) {
    return initializePredicate(0, allocateZeros(metadata));
}
