// An attribute of an entity.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// An attribute: a value of a type, kept in the store.
///
/// ```swift
/// let age = NSAttributeDescription()
/// age.name = "age"
/// age.attributeType = .integer16AttributeType
/// age.isOptional = false
/// age.defaultValue = 0
/// ```
open class NSAttributeDescription: NSPropertyDescription {
    /// The type of the values. Undefined until it is set.
    open var attributeType = NSAttributeType.undefinedAttributeType { willSet { assertMutable() } }

    /// The value of a new object. It is not looked at before it is used.
    open var defaultValue: Any? { willSet { assertMutable() } }

    /// The name of the transformer between the value and what the store keeps, for transformable attributes.
    open var valueTransformerName: String? { willSet { assertMutable() } }

    /// Indicates whether the store may put a large value into a file of its own.
    open var allowsExternalBinaryDataStorage = false { willSet { assertMutable() } }

    /// Indicates whether the value is written into the history when its object is deleted.
    open var preservesValueInHistoryOnDeletion = false { willSet { assertMutable() } }

    /// Indicates whether a cloud may encrypt the value. Kept for the model file, without effect here.
    open var allowsCloudEncryption = false { willSet { assertMutable() } }

    final var ownValueClassName: String? { willSet { assertMutable() } }
    /// A setting of source models only, carried along for writing.
    final var usesScalarValueType = false
    final var compositeName: String?

    /// The name of the class of the values, Foundation's for the types that have one. Setting it tells what a
    /// transformable attribute holds.
    open var attributeValueClassName: String? {
        get { ownValueClassName ?? attributeType.schemaType.valueClassName }
        set { ownValueClassName = newValue }
    }

    @discardableResult
    override func takeFields(from other: NSPropertyDescription) -> Bool {
        guard super.takeFields(from: other), let other = other as? NSAttributeDescription else {
            return false
        }
        attributeType = other.attributeType
        defaultValue = other.defaultValue
        valueTransformerName = other.valueTransformerName
        allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
        preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
        allowsCloudEncryption = other.allowsCloudEncryption
        ownValueClassName = other.ownValueClassName
        usesScalarValueType = other.usesScalarValueType
        compositeName = other.compositeName
        return true
    }
}

extension NSAttributeDescription {
    /// The type, in Swift spelling.
    public var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }
}
