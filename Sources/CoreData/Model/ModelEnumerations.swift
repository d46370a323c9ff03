// The enumerations of the model classes, with Apple's raw values.

import CoreDataFiles
import CoreDataSchema

/// The type of an attribute's value.
public enum NSAttributeType: UInt, Sendable {
    /// No type: of transient attributes, and of models that are being made.
    case undefinedAttributeType = 0
    /// A number of 16 bits.
    case integer16AttributeType = 100
    /// A number of 32 bits.
    case integer32AttributeType = 200
    /// A number of 64 bits.
    case integer64AttributeType = 300
    /// An `NSDecimalNumber`.
    case decimalAttributeType = 400
    /// A floating-point number of 64 bits.
    case doubleAttributeType = 500
    /// A floating-point number of 32 bits.
    case floatAttributeType = 600
    /// A text.
    case stringAttributeType = 700
    /// True or false.
    case booleanAttributeType = 800
    /// A `Date`.
    case dateAttributeType = 900
    /// Bytes: `Data`.
    case binaryDataAttributeType = 1000
    /// A `UUID`.
    case UUIDAttributeType = 1100
    /// A `URL`.
    case URIAttributeType = 1200
    /// An object of any class, which a value transformer turns into bytes.
    case transformableAttributeType = 1800
    /// The ID of an object; of results of fetches only.
    case objectIDAttributeType = 2000
    /// A dictionary of named elements.
    case compositeAttributeType = 2100
}

/// The effect of an object's deletion on the objects at the other end.
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

    /// The name in sources of models: "Integer 16".
    package var sourceName: String { schemaType.sourceName }
}
