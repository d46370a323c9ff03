// Types as the compiler knows them, without sugar and abbreviations.

/// A class, structure, enumeration or protocol and where it is declared.
package struct NominalType: Hashable, Sendable {
    package enum Kind: Character, Sendable {
        case `class` = "C"
        case structure = "V"
        case enumeration = "O"
        case `protocol` = "P"
    }

    private final class Parent: Sendable {
        let type: NominalType
        init(_ type: NominalType) { self.type = type }
    }

    package let module: String
    package let name: String
    package let kind: Kind
    /// The module of the extension that it stands in, when that isn't the parent's.
    package let extensionModule: String?
    /// Of a type that is private to a file: what tells it from those of other files.
    package let discriminator: String?
    private let box: Parent?

    package init(
        module: String, name: String, kind: Kind, parent: NominalType? = nil, extensionModule: String? = nil,
        discriminator: String? = nil
    ) {
        self.module = module
        self.name = name
        self.kind = kind
        self.extensionModule = extensionModule
        self.discriminator = discriminator
        box = parent.map(Parent.init)
    }

    package var parent: NominalType? { box?.type }

    /// Indicates that only one file sees it, by itself or by a type around it.
    var isPrivate: Bool { discriminator != nil || parent?.isPrivate == true }

    /// Names from the outermost type on.
    package var path: [String] { (parent?.path ?? []) + [name] }

    /// The module, then the names.
    package var qualifiedPath: [String] { [module] + path }

    package static func == (a: NominalType, b: NominalType) -> Bool {
        a.qualifiedPath == b.qualifiedPath && a.extensionModule == b.extensionModule
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(qualifiedPath)
    }

    /// Those of the standard library that every Swift program names have a letter instead of a name.
    var standardLetter: Character? {
        guard module == "Swift", parent == nil else { return nil }
        return Self.standardLetters[name]
    }

    private static let standardLetters: [String: Character] = [
        "Array": "a", "Bool": "b", "Dictionary": "D", "Double": "d", "Float": "f", "Set": "h", "Int": "i",
        "Character": "J", "ClosedRange": "N", "Range": "n", "ObjectIdentifier": "O", "String": "S",
        "Substring": "s", "UInt": "u", "Decodable": "e", "Encodable": "E", "Hashable": "H", "Equatable": "Q",
        "Comparable": "L",
    ]
}

/// `any Proto & Other`, `Any`, `AnyObject`.
package struct ExistentialType: Hashable, Sendable {
    /// In the compiler's order: by module, then by name.
    package let protocols: [NominalType]
    package let superclass: NominalType?
    package let isAnyObject: Bool

    package init(protocols: [NominalType] = [], superclass: NominalType? = nil, isAnyObject: Bool = false) {
        self.protocols = Set(protocols).sorted {
            $0.qualifiedPath.lexicographicallyPrecedes($1.qualifiedPath)
        }
        self.superclass = superclass
        self.isAnyObject = isAnyObject
    }
}

package indirect enum ResolvedType: Hashable, Sendable {
    case nominal(NominalType, [ResolvedType])
    case optional(ResolvedType)
    case existential(ExistentialType)
    case tuple([ResolvedType])

    var isTuple: Bool {
        if case .tuple = self { true } else { false }
    }

    /// All types that it names.
    package var nominals: [NominalType] {
        switch self {
        case .nominal(let nominal, let arguments): [nominal] + arguments.flatMap(\.nominals)
        case .optional(let wrapped): wrapped.nominals
        case .existential(let existential):
            existential.protocols + (existential.superclass.map { [$0] } ?? [])
        case .tuple(let members): members.flatMap(\.nominals)
        }
    }
}
