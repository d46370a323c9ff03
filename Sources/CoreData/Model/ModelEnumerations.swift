// The enumerations of the model classes, with Apple's raw values.

import CoreDataSchema

/// The type of an attribute's value.
public enum NSAttributeType: UInt, Sendable {
    case undefinedAttributeType = 0
    case integer16AttributeType = 100
    case integer32AttributeType = 200
    case integer64AttributeType = 300
    case decimalAttributeType = 400
    case doubleAttributeType = 500
    case floatAttributeType = 600
    case stringAttributeType = 700
    case booleanAttributeType = 800
    case dateAttributeType = 900
    case binaryDataAttributeType = 1000
    case UUIDAttributeType = 1100
    case URIAttributeType = 1200
    case transformableAttributeType = 1800
    case objectIDAttributeType = 2000
    case compositeAttributeType = 2100
}

/// What happens to the objects at the other end when an object is deleted.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: the other side may be left pointing at an object that is gone.
    case noActionDeleteRule = 0
    /// The other side forgets the deleted object.
    case nullifyDeleteRule = 1
    /// The other side is deleted too.
    case cascadeDeleteRule = 2
    /// The object can't be deleted while the relationship holds something.
    case denyDeleteRule = 3
}

/// The kind of database index that an element of a fetch index asks for.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// An ordinary, ordered index.
    case binary = 0
    /// An R-tree over numeric attributes, for ranges in several dimensions.
    case rTree = 1
}

extension NSAttributeType {
    init(_ type: AttributeType) {
        // The two enumerations have the same cases and raw values (tested).
        self = NSAttributeType(rawValue: type.rawValue) ?? .undefinedAttributeType
    }

    var schemaType: AttributeType { AttributeType(rawValue: rawValue) ?? .undefined }
}
