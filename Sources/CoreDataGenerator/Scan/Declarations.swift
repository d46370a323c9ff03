// The declarations of a module that a scan finds because Core Data's generated code must know about them.

/// The access level of a declaration; greater is wider.
package enum AccessLevel: Int, Comparable, Sendable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    init?(_ name: String) {
        switch name {
        case "private": self = .private
        case "fileprivate": self = .fileprivate
        case "internal": self = .internal
        case "package": self = .package
        case "public": self = .public
        case "open": self = .open
        default: return nil
        }
    }

    package var spelling: String { String(describing: self) }

    package static func < (a: AccessLevel, b: AccessLevel) -> Bool { a.rawValue < b.rawValue }
}

/// The isolation that a declaration states itself.
package enum Isolation: Hashable, Sendable {
    /// `@MainActor` or another global actor.
    case globalActor
    case nonisolated
}

/// The statement of `@available(*, …)` of a declaration on every system.
package enum Availability: Hashable, Sendable {
    case usual, deprecated, unavailable
}

/// `import Foundation`.
package struct ScannedImport: Hashable, Sendable {
    package let module: String
    /// The access level that stands before it; nil when nothing does.
    package let access: AccessLevel?
}

/// `typealias Friends = Set<Hero>`.
package struct ScannedTypealias: Hashable, Sendable {
    package let name: String
    package let type: TypeSyntax?
    package let isGeneric: Bool
    package let place: SourcePlace
}

/// A variable of a type or extension.
package struct ScannedProperty: Hashable, Sendable {
    package let name: String
    /// Nil where it is inferred.
    package let type: TypeSyntax?
    package let isManaged: Bool
    package let isStatic: Bool
    package let isFinal: Bool
    package let isOverride: Bool
    /// As declared there, or by default from where it stands.
    package let access: AccessLevel
    package let setterAccess: AccessLevel
    package let hasGetter: Bool
    package let hasSetter: Bool
    /// The getter throws or is asynchronous.
    package let hasEffects: Bool
    package let isolation: Isolation?
    package let availability: Availability
    package let place: SourcePlace

    /// It has code instead of storage.
    package var isComputed: Bool { hasGetter || hasSetter }
}

/// A method of a type or extension.
package struct ScannedMethod: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// Empty for `_`.
        package let label: String
        package let name: String
        package let type: TypeSyntax
    }

    package let name: String
    package let parameters: [Parameter]
    package let result: TypeSyntax?
    package let isThrowing: Bool
    package let isAsynchronous: Bool
    package let isGeneric: Bool
    package let isManaged: Bool
    package let isStatic: Bool
    package let isFinal: Bool
    /// It is marked `@objc`, also where `#if` leaves that to Apple's systems.
    package let isObjectiveC: Bool
    /// The name that `@objc(…)` gives it there.
    package let selector: String?
    package let isolation: Isolation?
    package let access: AccessLevel
    package let place: SourcePlace
}

/// The members between the braces of a type or extension.
package struct ScannedMembers: Hashable, Sendable {
    package var properties: [ScannedProperty] = []
    package var methods: [ScannedMethod] = []
    package var types: [ScannedType] = []
    package var typealiases: [ScannedTypealias] = []
}

/// A class, structure, enumeration, actor or protocol.
package struct ScannedType: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case `class`, structure, enumeration, `protocol`
    }

    package let kind: Kind
    package let name: String
    /// Superclass and protocols.
    package let inherited: [TypeSyntax]
    package let access: AccessLevel
    package let isFinal: Bool
    package let isGeneric: Bool
    /// `@objcMembers`: its members are known to the Objective-C runtime.
    package let isObjectiveC: Bool
    /// The name that `@objc(…)` gives it there, also where `#if` leaves that to Apple's systems.
    package let objectiveCName: String?
    package let isolation: Isolation?
    package let members: ScannedMembers
    package let place: SourcePlace
}

/// `extension Hero { … }`.
package struct ScannedExtension: Hashable, Sendable {
    package let extended: TypeSyntax
    package let inherited: [TypeSyntax]
    /// It has a `where` clause.
    package let isConstrained: Bool
    /// `@objc extension`.
    package let isObjectiveC: Bool
    package let isolation: Isolation?
    package let members: ScannedMembers
    package let place: SourcePlace
}

/// A source file.
package struct ScannedFile: Hashable, Sendable {
    package let path: String
    package let imports: [ScannedImport]
    package let types: [ScannedType]
    package let extensions: [ScannedExtension]
    package let typealiases: [ScannedTypealias]
}
