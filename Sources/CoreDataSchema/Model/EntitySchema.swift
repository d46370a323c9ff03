// An entity as a value.

package import CoreDataPredicate
package import CoreDataSupport
package import Foundation

/// An entity with its own properties; inherited ones belong to the superentity (`ModelIndex` joins them).
package struct EntitySchema: Sendable, Hashable {
    package var name: String
    /// Name of the class, with its module where the model states one by name; `nil` for plain `NSManagedObject`.
    package var className: String?
    /// `.` where a source model says that the class is in the current product module. Source models only.
    package var classModule: String?
    /// `class`, `category` or nil: what the code generator is to make. Source models only.
    package var codeGeneration: String?
    package var isAbstract = false
    package var superentityName: String?
    package var properties: [PropertySchema] = []
    package var uniquenessConstraints: [[String]] = []
    package var indexes: [FetchIndexSchema] = []
    /// Indexes over several properties as models before 2017 state them.
    package var compoundIndexes: [[String]] = []
    package var userInfo: [Value: Value] = [:]
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var coreSpotlightDisplayNameExpression: ExpressionTree?
    /// The hash that came with the model (`VersionInfo.plist`, a store's metadata), for entities whose hash the
    /// known formula can't settle.
    package var recordedVersionHash: Data?

    package init(name: String, properties: [PropertySchema] = []) {
        self.name = name
        self.properties = properties
    }
}

/// A fetch index.
package struct FetchIndexSchema: Sendable, Hashable {
    package var name: String
    package var elements: [FetchIndexElementSchema]
    package var partialPredicate: PredicateTree?

    package init(name: String, elements: [FetchIndexElementSchema], partialPredicate: PredicateTree? = nil) {
        self.name = name
        self.elements = elements
        self.partialPredicate = partialPredicate
    }
}

/// One element of a fetch index: a property or an expression.
package struct FetchIndexElementSchema: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case property(String)
        /// An expression description with its result type.
        case expression(name: String, ExpressionTree, resultType: AttributeType)
    }

    package enum Collation: UInt, Sendable, Hashable {
        case binary = 0
        case rTree = 1
    }

    package var subject: Subject
    package var collation: Collation
    package var isAscending: Bool

    package init(_ subject: Subject, collation: Collation = .binary, isAscending: Bool = true) {
        self.subject = subject
        self.collation = collation
        self.isAscending = isAscending
    }
}
