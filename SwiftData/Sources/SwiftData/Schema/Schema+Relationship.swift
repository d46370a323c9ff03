// Relationships of a schema.

import Foundation

extension Schema {
    /// A relationship of an entity.
    ///
    /// Unchecked because a schema that is in use doesn't change any more.
    public final class Relationship: SchemaProperty, @unchecked Sendable {
        public internal(set) var name = ""
        public internal(set) var originalName: String
        /// The options.
        public internal(set) var options: [Option]
        public internal(set) var valueType: any Any.Type = Any.self
        /// The name of the entity on the other side.
        public internal(set) var destination = ""
        /// The name of the relationship back.
        public internal(set) var inverseName: String?
        /// The key path of the relationship back, where it was stated.
        public internal(set) var inverseKeyPath: AnyKeyPath?
        /// The key path of the property.
        public internal(set) var keypath: AnyKeyPath?
        /// The effect of a deletion on the other side.
        public internal(set) var deleteRule: DeleteRule
        /// The least number of models on the other side.
        public internal(set) var minimumModelCount: Int?
        /// The greatest number of models on the other side; 0 or nil for no limit.
        public internal(set) var maximumModelCount: Int?
        /// Text that makes another version of the relationship.
        public internal(set) var hashModifier: String?
        /// Indicates whether there is at most one model on the other side.
        public internal(set) var isToOneRelationship = true

        /// A relationship's options, as `@Relationship` states them. The rest comes from the property.
        ///
        /// - Parameters:
        ///   - options: the options.
        ///   - deleteRule: the effect of a deletion on the other side.
        ///   - minimumModelCount: the least number of models on the other side.
        ///   - maximumModelCount: the greatest number of models on the other side.
        ///   - originalName: the name in the version before.
        ///   - inverse: the key path of the relationship back.
        ///   - hashModifier: text that makes another version of the relationship.
        public init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            self.options = options
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.originalName = originalName ?? ""
            inverseKeyPath = inverse
            self.hashModifier = hashModifier
        }

        public convenience init(from decoder: any Decoder) throws {
            let form = try RelationshipForm(from: decoder)
            self.init(
                deleteRule: form.deleteRule, minimumModelCount: form.minimumModelCount,
                maximumModelCount: form.maximumModelCount, originalName: form.originalName,
                hashModifier: form.hashModifier)
            options = form.options
            name = form.name
            destination = form.destination
            inverseName = form.inverseName
            valueType = ValueKind.codable.type(isOptional: form.isOptional)
            isToOneRelationship = form.isToOne
        }

        public func encode(to encoder: any Encoder) throws { try RelationshipForm(self).encode(to: encoder) }

        public var isAttribute: Bool { false }
        public var isRelationship: Bool { true }
        public var isTransient: Bool { false }
        public var isOptional: Bool { valueType is any OptionalType.Type }
        public var isUnique: Bool { options.contains(.unique) }
    }
}

extension Schema.Relationship {
    /// Returns true if two relationships have the same name, other side and rules.
    ///
    /// - Parameters:
    ///   - left: the one relationship.
    ///   - right: the other.
    public static func == (left: Schema.Relationship, right: Schema.Relationship) -> Bool {
        left === right
            || left.name == right.name && left.originalName == right.originalName
                && left.destination == right.destination && left.inverseName == right.inverseName
                && left.deleteRule == right.deleteRule
                && left.isToOneRelationship == right.isToOneRelationship
                && left.isOptional == right.isOptional && left.minimumModelCount == right.minimumModelCount
                && left.maximumModelCount == right.maximumModelCount && left.options == right.options
                && left.hashModifier == right.hashModifier
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The effect of a model's deletion on those that a relationship leads to.
    public enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
        /// None, not even on relationships back.
        case noAction
        /// They lose their relationship back.
        case nullify
        /// They are deleted as well.
        case cascade
        /// The save fails as long as there are any.
        case deny
    }

    /// An option of a relationship.
    public struct Option: Hashable, Codable, Sendable {
        private let name: String

        /// Each model on the other side has this relationship with one model only.
        public static var unique: Option { Option(name: "unique") }
    }
}

/// A type that a relationship to many models is declared as: an array or a set of models.
public protocol RelationshipCollection {
    /// The class of the models.
    associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
    /// The class of the models.
    public typealias PersistentElement = Element
}

extension Set: RelationshipCollection where Element: PersistentModel {
    /// The class of the models.
    public typealias PersistentElement = Element
}
