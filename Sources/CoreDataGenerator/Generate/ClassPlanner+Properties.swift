// The types and places of properties.

import CoreDataSchema
import CoreDataSupport

extension ClassPlanner {
    mutating func plan(
        _ property: PropertySchema, of entity: ModelIndex.Entity, in className: String, access: AccessLevel
    ) -> PropertyPlan? {
        if ObjectMembers.properties.union(ObjectMembers.additions).contains(property.name) {
            add(
                .error, entity: entity, property: property.name,
                message:
                    "NSManagedObject has a property of the same name, so the class can't have one; rename it, and "
                    + "state the old name as its renaming identifier")
            return nil
        }
        if ObjectMembers.methods.contains(property.name) {
            add(
                .warning, entity: entity, property: property.name,
                message:
                    "NSManagedObject has a method of the same name: code for the class doesn't compile on Apple's systems"
            )
        }
        guard let (kind, type, unpacking) = shape(of: property, entity) else { return nil }
        return PropertyPlan(
            name: property.name, kind: kind, type: type, unpacking: unpacking,
            access: min(access, visibility(of: type, property)),
            isReadOnly: property.attribute?.derivation != nil || kind.isFetched,
            place: places.place(of: property.name, in: className),
            documentation: Documentation.text(property.userInfo))
    }

    /// Returns the visibility of a type of the module itself: members can't be seen further.
    private func visibility(of type: String, _ property: PropertySchema) -> AccessLevel {
        var name = property.attribute?.valueClassName
        if let relationship = property.relationship {
            name = className(of: relationship.destinationEntityName)
        }
        return name.flatMap(written.access) ?? .public
    }

    private typealias Shape = (PropertyPlan.Kind, String, unpacking: String?)

    private mutating func shape(of property: PropertySchema, _ entity: ModelIndex.Entity) -> Shape? {
        switch property.kind {
        case .attribute(let traits): return shape(of: traits, property: property, entity: entity)
        case .relationship(let traits):
            let target = element(traits.destinationEntityName)
            let isOptional = property.isOptional || !options.keepsRequired
            if !traits.isToMany { return (.toOne, target + (isOptional ? "?" : ""), nil) }
            let kind = PropertyPlan.Kind.toMany(isOrdered: traits.isOrdered, element: target)
            if traits.isOrdered {
                return (kind, options.keepsRequired ? "NSOrderedSet" : "NSOrderedSet?", nil)
            }
            if options.usesNativeSets { return (kind, "\(names("Set"))<\(target)>", nil) }
            return (kind, options.keepsRequired ? "NSSet" : "NSSet?", nil)
        case .fetched(let request): return (.fetched, "[\(element(request.entityName))]?", nil)
        }
    }

    /// The class of another entity's objects as code spells it.
    private func element(_ entity: String) -> String {
        TypeNames.escaped(className(of: entity) ?? "NSManagedObject")
    }

    private mutating func shape(
        of traits: AttributeTraits, property: PropertySchema, entity: ModelIndex.Entity
    ) -> Shape? {
        if traits.usesScalarValueType, let (type, unpacking) = scalar(traits.type) {
            let kind = traits.type == .date ? PropertyPlan.Kind.interval : .attribute
            guard options.usesOptionalScalars, property.isOptional else { return (kind, type, nil) }
            return (kind, type + "?", unpacking)
        }
        guard let type = objectType(traits, property: property, entity: entity) else { return nil }
        let isOptional = property.isOptional || !options.keepsRequired
        return (.attribute, isOptional ? type + "?" : type, nil)
    }

    private func scalar(_ type: AttributeType) -> (type: String, unpacking: String)? {
        switch type {
        case .integer16: (names("Int16"), "int16Value")
        case .integer32: (names("Int32"), "int32Value")
        case .integer64: (names("Int64"), "int64Value")
        case .boolean: (names("Bool"), "boolValue")
        case .double: (names("Double"), "doubleValue")
        case .float: (names("Float"), "floatValue")
        case .date: (names("TimeInterval"), "timeIntervalSinceReferenceDate")
        default: nil
        }
    }

    private mutating func objectType(
        _ traits: AttributeTraits, property: PropertySchema, entity: ModelIndex.Entity
    ) -> String? {
        switch traits.type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float: return "NSNumber"
        case .decimal: return options.usesDecimal ? names("Decimal") : "NSDecimalNumber"
        case .string: return names("String")
        case .date: return names("Date")
        case .binaryData: return names("Data")
        case .uuid: return names("UUID")
        case .uri: return names("URL")
        case .objectID: return "NSManagedObjectID"
        case .composite: return "[\(names("String")): Any]"
        case .undefined, .transformable:
            guard let stated = traits.valueClassName, !stated.isEmpty else { return "NSObject" }
            guard TypeNames.isType(stated) else {
                add(.error, entity: entity, property: property.name, message: "\"\(stated)\" is no type")
                return nil
            }
            let prefix = (options.module ?? "") + "."
            return stated.hasPrefix(prefix) ? String(stated.dropFirst(prefix.count)) : stated
        }
    }
}

/// Documentation that a model carries: the value of "documentation" or "doc" in the user info of an entity or a
/// property.
enum Documentation {
    static func text(_ userInfo: [Value: Value]) -> String? {
        for key in ["documentation", "doc"] {
            if case .string(let text)? = userInfo[.string(key)], !text.isEmpty { return text }
        }
        return nil
    }

    /// The lines of the comment.
    static func lines(_ text: String?) -> [String] {
        guard let text else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            line.allSatisfy(\.isWhitespace) ? "///" : "/// " + line
        }
    }
}
