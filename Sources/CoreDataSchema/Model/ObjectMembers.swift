// The members that every managed object has on Apple's systems, by their names in Objective-C.

/// Names that a property of a model shares with a member of `NSManagedObject` or `NSObject`.
package enum ObjectMembers {
    /// Properties, so that no extension can add others of their names.
    package static let properties: Set<String> = [
        "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault",
        "hasChanges", "hasPersistentChangedValues", "faultingState", "description", "debugDescription",
        "hash", "observationInfo", "classForCoder", "superclass",
    ]
    /// Properties that Swift and Combine add to them.
    package static let additions: Set<String> = ["hashValue", "objectWillChange"]
    /// Methods without parameters, which Objective-C calls as it calls a property of that name.
    package static let methods: Set<String> = [
        "copy", "mutableCopy", "init", "dealloc", "retain", "release", "autorelease", "retainCount", "class",
        "self", "zone", "isProxy", "awakeFromFetch", "awakeFromInsert", "changedValues",
        "changedValuesForCurrentEvent", "willSave", "didSave", "prepareForDeletion", "willTurnIntoFault",
        "didTurnIntoFault", "finalize", "load", "initialize",
    ]
    /// Methods with parameters that managed objects have here too.
    package static let methodsWithParameters: Set<String> = [
        "isEqual:", "valueForKey:", "setValue:forKey:", "valueForKeyPath:", "setValue:forKeyPath:",
        "primitiveValueForKey:", "setPrimitiveValue:forKey:", "mutableSetValueForKey:",
        "mutableOrderedSetValueForKey:", "mutableSetValueForKeyPath:", "mutableOrderedSetValueForKeyPath:",
        "dictionaryWithValuesForKeys:", "setValuesForKeysWithDictionary:",
        "setNilValueForKey:", "valueForUndefinedKey:", "setValue:forUndefinedKey:",
        "willAccessValueForKey:", "didAccessValueForKey:", "willChangeValueForKey:", "didChangeValueForKey:",
        "willChange:valuesAtIndexes:forKey:", "didChange:valuesAtIndexes:forKey:",
        "validateValue:forKey:error:", "validateForInsert:", "validateForUpdate:", "validateForDelete:",
        "awakeFromSnapshotEvents:", "committedValuesForKeys:", "hasFaultForRelationshipNamed:",
        "objectIDsForRelationshipNamed:",
    ]
}
