// Managed properties that are declared otherwise than the model has them. They compile, and what they can't show is left
// out at run time, so that the build is the place to say it.

import CoreDataSchema

/// Compares declared types with the model's.
struct DeclarationCheck {
    let sources: ManagedSources

    /// Returns the problem of a property's type; nil if its values can be had as
    /// that, or nothing can be told.
    func problem(_ key: String, type: ResolvedType, of className: String) -> String? {
        let type = type.unwrapped
        for modelled in sources.places.modelled(key, in: className) {
            let found: String?
            switch modelled.kind {
            case .attribute(let traits): found = problem(type, attribute: traits.type)
            case .relationship(let traits):
                found = problem(type, traits: traits, destination: modelled.destination)
            case .fetched: found = element(type).flatMap { narrowed($0, destination: modelled.destination) }
            }
            if let found {
                return "\(key) is declared as \(type.spelling), but \(found) (entity \(modelled.entity))"
            }
        }
        return nil
    }

    // MARK: Attributes

    private static let numbers: Set<String> = [
        "Int16", "Int32", "Int64", "Int", "Bool", "Double", "Float", "Decimal", "NSNumber", "NSDecimalNumber",
    ]

    /// The number of bits of whole numbers that a type holds.
    private static let widths: [String: Int] = ["Int16": 16, "Int32": 32, "Int64": 64, "Int": 64]

    private func problem(_ type: ResolvedType, attribute: AttributeType) -> String? {
        guard case .nominal(let nominal, let arguments) = type, let expected = Self.expected(attribute) else {
            return nil
        }
        let isOurs = sources.index.moduleNames.contains(nominal.home)
        // Types of the sources may have raw values of any kind.
        if isOurs, !sources.isManaged(nominal) { return nil }
        if ["NSObject", "NSValue"].contains(nominal.name), !isOurs { return nil }
        if isOurs || !arguments.isEmpty || !expected.contains(nominal.name) {
            return "the model has an attribute of type \(attribute)"
        }
        guard let wanted = Self.width(attribute), let width = Self.widths[nominal.name], width < wanted else {
            return nil
        }
        return "the model's \(attribute) is wider: other values are cut off"
    }

    private static func expected(_ attribute: AttributeType) -> Set<String>? {
        switch attribute {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: numbers
        case .string: ["String", "NSString"]
        case .date: ["Date", "NSDate", "Double"]
        case .binaryData: ["Data", "NSData"]
        case .uuid: ["UUID", "NSUUID"]
        case .uri: ["URL", "NSURL"]
        case .objectID: ["NSManagedObjectID"]
        case .undefined, .transformable, .composite: nil
        }
    }

    private static func width(_ attribute: AttributeType) -> Int? {
        switch attribute {
        case .integer16: 16
        case .integer32: 32
        case .integer64: 64
        default: nil
        }
    }

    // MARK: Relationships

    private func problem(
        _ type: ResolvedType, traits: RelationshipTraits, destination: [String]
    ) -> String? {
        guard case .nominal(let nominal, _) = type else { return nil }
        switch nominal.name {
        case "Set", "Array", "NSSet", "NSOrderedSet", "NSMutableSet", "NSMutableOrderedSet":
            if !traits.isToMany { return "the model's relationship is to one object" }
            let isOrdered = nominal.name.hasSuffix("OrderedSet")
            if nominal.name.hasSuffix("Set"), nominal.name != "Set", isOrdered != traits.isOrdered {
                return "the model's relationship is \(traits.isOrdered ? "" : "not ")ordered"
            }
            return element(type).flatMap { narrowed($0, destination: destination) }
        default:
            guard sources.isManaged(nominal) else {
                return nominal.module == "Swift" || KnownTypes.type(named: nominal.name) == nominal
                    ? "the model has a relationship" : nil
            }
            if traits.isToMany { return "the model's relationship is to many objects" }
            return narrowed(nominal, destination: destination)
        }
    }

    /// The class of a collection's members.
    private func element(_ type: ResolvedType) -> NominalType? {
        guard case .nominal(let nominal, let arguments) = type, ["Set", "Array"].contains(nominal.name),
            case .nominal(let element, _)? = arguments.first
        else { return nil }
        return element
    }

    private func narrowed(_ declared: NominalType, destination: [String]) -> String? {
        let name = destination.dropFirst().joined(separator: ".")
        if declared.qualifiedPath == destination
            || ancestors(of: destination).contains(declared.qualifiedPath)
        {
            return nil
        }
        if ancestors(of: declared.qualifiedPath).contains(destination) {
            return "the model leads to \(name): objects of other classes are left out"
        }
        // A class whose ancestors nobody knows may be anything.
        let isKnown = sources.index.entries[destination] != nil || destination.first == "CoreData"
        return isKnown ? "the model leads to \(name)" : nil
    }

    /// The superclasses of a class, as sources and models tell them, the nearest first.
    private func ancestors(of path: [String]) -> [[String]] {
        var found: [[String]] = []
        var next = sources.superclass(of: path)
        while let path = next, !found.contains(path) {
            found.append(path)
            next = sources.superclass(of: path)
        }
        return found
    }
}

extension ResolvedType {
    /// Without optionality.
    fileprivate var unwrapped: ResolvedType {
        if case .optional(let wrapped) = self { return wrapped.unwrapped }
        return self
    }
}
