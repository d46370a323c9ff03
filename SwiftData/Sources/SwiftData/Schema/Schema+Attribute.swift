// Attributes of a schema.

public import CoreData
import Foundation

extension Schema {
    /// An attribute of an entity.
    ///
    /// Unchecked because a schema that is in use doesn't change any more.
    public class Attribute: SchemaProperty, @unchecked Sendable {
        public internal(set) var name: String
        public internal(set) var originalName: String
        /// The options.
        public internal(set) var options: [Option]
        public internal(set) var valueType: any Any.Type
        /// The value that new models have, and that stands for nil in a store where the property can't be nil.
        public internal(set) var defaultValue: Any?
        /// Text that makes another version of the attribute.
        public internal(set) var hashModifier: String?

        /// An attribute's options, as `@Attribute` states them. The rest comes from the property.
        ///
        /// - Parameters:
        ///   - options: the options.
        ///   - originalName: the name in the version before.
        ///   - hashModifier: text that makes another version of the attribute.
        public convenience init(
            _ options: Option..., originalName: String? = nil, hashModifier: String? = nil
        ) {
            self.init(
                name: "", originalName: originalName, options: options, valueType: Any.self,
                defaultValue: nil,
                hashModifier: hashModifier)
        }

        /// An attribute.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - originalName: the name in the version before.
        ///   - options: the options.
        ///   - valueType: the type of the values.
        ///   - defaultValue: the value of new models.
        ///   - hashModifier: text that makes another version of the attribute.
        public init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            self.name = name
            self.originalName = originalName ?? name
            self.options = options
            self.valueType = valueType
            self.defaultValue = defaultValue
            self.hashModifier = hashModifier
        }

        /// Reads an attribute.
        ///
        /// - Throws: a `DecodingError`.
        public required convenience init(from decoder: any Decoder) throws {
            let form = try AttributeForm(from: decoder)
            self.init(
                name: form.name, originalName: form.originalName, options: form.options,
                valueType: ValueKind(name: form.valueType).type(isOptional: form.isOptional),
                defaultValue: form.defaultValue?.value, hashModifier: form.hashModifier)
        }

        /// Writes the attribute.
        ///
        /// - Throws: what the encoder throws.
        public func encode(to encoder: any Encoder) throws { try AttributeForm(self).encode(to: encoder) }

        public var isAttribute: Bool { true }
        public var isRelationship: Bool { false }
        public var isTransient: Bool { options.contains(.ephemeral) }
        public var isOptional: Bool { valueType is any OptionalType.Type }
        public var isUnique: Bool { options.contains(.unique) }
        /// Indicates that a value transformer makes the bytes that are stored.
        public var isTransformable: Bool { transformerName != nil }
        /// Indicates that the value is stored as it encodes itself.
        public var isCodable: Bool {
            options.contains(.codable)
                || ValueKind(valueType) == .codable && !(self is CompositeAttribute)
        }

        /// The name that the value transformer is registered under.
        var transformerName: String? {
            for case .transformable(let name) in options.map(\.kind) { return name }
            return nil
        }
    }
}

extension Schema.Attribute {
    /// Returns true if two attributes have the same name, type and options.
    ///
    /// - Parameters:
    ///   - left: the one attribute.
    ///   - right: the other.
    public static func == (left: Schema.Attribute, right: Schema.Attribute) -> Bool {
        left === right
            || left.name == right.name && left.originalName == right.originalName
                && left.options == right.options && left.hashModifier == right.hashModifier
                && ValueKind(left.valueType) == ValueKind(right.valueType)
                && left.isOptional == right.isOptional
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Schema.Attribute {
    /// An option of an attribute.
    public struct Option: Hashable, Codable, Sendable {
        enum Kind: Hashable, Codable, Sendable {
            case unique, externalStorage, ephemeral, preserveValueOnDeletion, spotlight,
                allowsCloudEncryption, codable
            case transformable(String)
        }

        let kind: Kind

        /// No two models have the same value; inserting one with a value that is there updates the other.
        public static var unique: Option { Option(kind: .unique) }
        /// Large data lies in files beside the store.
        public static var externalStorage: Option { Option(kind: .externalStorage) }
        /// The value is tracked and never saved.
        public static var ephemeral: Option { Option(kind: .ephemeral) }
        /// History keeps the value of a deleted model.
        public static var preserveValueOnDeletion: Option { Option(kind: .preserveValueOnDeletion) }
        /// Kept in the schema; off Apple's systems there is no index that it could stand in.
        public static var spotlight: Option { Option(kind: .spotlight) }
        /// Kept in the schema; off Apple's systems there is no cloud that could encrypt it.
        public static var allowsCloudEncryption: Option { Option(kind: .allowsCloudEncryption) }
        /// The value is stored as it encodes itself, even if it has another form. Without it a structure that encodes its fields
        /// under keys is a composite attribute.
        public static var codable: Option { Option(kind: .codable) }

        /// A value transformer makes the stored bytes, by the name that it is registered under.
        public static func transformable(by name: String) -> Option { Option(kind: .transformable(name)) }

        /// A value transformer of a class makes the stored bytes: the one that is registered under the class's name, or else one
        /// that is made of the class.
        public static func transformable(by type: ValueTransformer.Type) -> Option {
            Option(kind: .transformable(String(describing: type)))
        }
    }
}
