// The types, options and defaults of attributes.

import CoreDataSchema
import CoreDataSupport

extension ModelClassPlanner {
    mutating func attribute(
        _ property: PropertySchema, traits: AttributeTraits, of entity: ModelIndex.Entity
    ) -> ModelClassProperty? {
        if traits.derivation != nil {
            add(
                .warning, entity: entity, property: property.name,
                message: "SwiftData has no derived attributes: it is left out")
            return nil
        }
        guard let type = type(of: property, traits: traits, in: entity) else { return nil }
        let initial = ValueLiteral.text(traits.defaultValue, of: traits.type, names: names)
        if initial == nil, traits.defaultValue != .null {
            add(
                .warning, entity: entity, property: property.name,
                message: "its default value can't be written: \(traits.defaultValue)")
        }
        let member = Self.memberName(property.name)
        if member != property.name {
            add(
                .warning, entity: entity, property: property.name,
                message: "models have a member of this name: the property is called \(member)")
        }
        var plan = ModelClassProperty(
            name: member, type: property.isOptional ? type + "?" : type, initial: initial)
        if property.isTransient, traits.type == .undefined {
            plan.macro = macro("Transient")
            // A value that isn't stored has to begin with something.
            if plan.isRequired {
                plan = ModelClassProperty(name: member, type: type + "?", macro: plan.macro)
            }
            return plan
        }
        let arguments = attributeOptions(property, traits: traits)
        if !arguments.isEmpty { plan.macro = macro("Attribute") + "(\(arguments.joined(separator: ", ")))" }
        return plan
    }

    private func attributeOptions(_ property: PropertySchema, traits: AttributeTraits) -> [String] {
        var found: [String] = []
        if traits.allowsExternalBinaryDataStorage { found.append(".externalStorage") }
        if property.isTransient { found.append(".ephemeral") }
        if traits.preservesValueInHistoryOnDeletion { found.append(".preserveValueOnDeletion") }
        if traits.allowsCloudEncryption { found.append(".allowsCloudEncryption") }
        if property.isIndexedBySpotlight { found.append(".spotlight") }
        if traits.type == .transformable {
            // Archives of any class are what a model means that names no transformer.
            let name =
                traits.valueTransformerName.flatMap { $0.isEmpty ? nil : $0 } ?? "NSKeyedUnarchiveFromData"
            found.append(".transformable(by: \(ValueLiteral.string(name)))")
        }
        let (originalName, hashModifier) = shared(property)
        return found + [originalName, hashModifier].compactMap(\.self)
    }

    /// The type of the variable, without its optionality.
    private mutating func type(
        of property: PropertySchema, traits: AttributeTraits, in entity: ModelIndex.Entity
    ) -> String? {
        switch traits.type {
        case .integer16: return names("Int16")
        case .integer32: return names("Int32")
        case .integer64: return names("Int64")
        case .boolean: return names("Bool")
        case .double: return names("Double")
        case .float: return names("Float")
        case .decimal: return names("Decimal")
        case .string: return names("String")
        case .date: return names("Date")
        case .binaryData: return names("Data")
        case .uuid: return names("UUID")
        case .uri: return names("URL")
        case .composite: return structure(property, traits: traits, in: entity)
        case .objectID:
            add(
                .warning, entity: entity, property: property.name,
                message: "SwiftData stores no object IDs: it is left out")
            return nil
        case .undefined, .transformable: return statedType(property, traits: traits, in: entity)
        }
    }

    private mutating func statedType(
        _ property: PropertySchema, traits: AttributeTraits, in entity: ModelIndex.Entity
    ) -> String? {
        guard let stated = traits.valueClassName, !stated.isEmpty else {
            if traits.type == .transformable { return "NSObject" }
            add(.warning, entity: entity, property: property.name, message: "it has no type: it is left out")
            return nil
        }
        guard TypeNames.isType(stated) else {
            add(.error, entity: entity, property: property.name, message: "\"\(stated)\" is no type")
            return nil
        }
        let prefix = (options.module ?? "") + "."
        return stated.hasPrefix(prefix) ? String(stated.dropFirst(prefix.count)) : stated
    }

    // MARK: Composite attributes

    /// The structure of a composite attribute, which is planned with its first use.
    private mutating func structure(
        _ property: PropertySchema, traits: AttributeTraits, in entity: ModelIndex.Entity
    ) -> String? {
        let name = traits.compositeName ?? property.name.prefix(1).uppercased() + property.name.dropFirst()
        guard TypeNames.isPath(name), !name.contains("."), !names.taken.contains(name) else {
            add(
                .error, entity: entity, property: property.name,
                message: "\"\(name)\" is no name for a structure, or a class has it")
            return nil
        }
        if hasStructure(name) { return Keywords.escaped(name) }
        // Before its elements: a type whose elements lead back to it ends here.
        add(structure: ModelStructure(name: name))
        var structure = ModelStructure(name: name)
        for element in traits.elements {
            let place = property.name + "." + element.name
            guard let inner = element.attribute else { continue }
            if inner.type == .transformable || inner.type == .undefined || inner.derivation != nil {
                add(
                    .warning, entity: entity, property: place,
                    message: "a Codable structure has no element like it: it is left out")
                continue
            }
            guard let type = type(of: element, traits: inner, in: entity) else { continue }
            if element.renamingIdentifier.map({ $0 != element.name }) == true
                || element.versionHashModifier != nil
            {
                add(
                    .warning, entity: entity, property: place,
                    message: "an element can't state an original name or a hash modifier")
            }
            structure.properties.append(
                ModelClassProperty(
                    name: element.name, type: element.isOptional ? type + "?" : type,
                    initial: ValueLiteral.text(inner.defaultValue, of: inner.type, names: names),
                    documentation: Documentation.lines(Documentation.text(element.userInfo))))
        }
        add(structure: structure)
        return Keywords.escaped(name)
    }

    /// A macro of SwiftData, with its module where a class has its name.
    func macro(_ name: String) -> String { names.taken.contains(name) ? "SwiftData." + name : name }
}
