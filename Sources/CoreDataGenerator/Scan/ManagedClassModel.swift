// A first model from classes that exist: what their `@NSManaged` properties say of entities.

package import CoreDataSchema

/// Entities for the managed object classes of sources.
package struct ManagedClassModel {
    /// The model; delete rules, rules of values and what else classes don't say are Xcode's defaults.
    package private(set) var model = ModelSchema()
    /// Remarks on guesses and on what was left out.
    package private(set) var remarks: [ModelProblem] = []

    private typealias Member = (entity: String, property: ScannedProperty)

    private static let attributes: [String: AttributeType] = [
        "String": .string, "NSString": .string, "Int16": .integer16, "Int32": .integer32, "Int64": .integer64,
        "Int": .integer64, "Bool": .boolean, "Double": .double, "TimeInterval": .double, "Float": .float,
        "Decimal": .decimal, "NSDecimalNumber": .decimal, "Date": .date, "NSDate": .date, "Data": .binaryData,
        "NSData": .binaryData, "UUID": .uuid, "NSUUID": .uuid, "URL": .uri, "NSURL": .uri,
    ]
    private static let scalars: Set<String> = [
        "Int16", "Int32", "Int64", "Int", "Bool", "Double", "TimeInterval", "Float",
    ]

    package init(_ scan: SourceScan) {
        let classes = Self.classes(scan.files.flatMap(\.types))
        let names = Self.managed(classes)
        for type in classes where names.contains(type.name) {
            var entity = EntitySchema(name: type.name)
            (entity.className, entity.classModule) = (type.name, ".")
            entity.superentityName = type.inherited.compactMap(\.lastName).first(where: names.contains)
            let extensions = scan.files.flatMap(\.extensions).filter { $0.extended.lastName == type.name }
            let members = ([type.members] + extensions.map(\.members)).flatMap(\.properties)
            for member in members where member.isManaged && !member.isStatic {
                entity.properties.append(property((type.name, member), entities: names))
            }
            model.entities.append(entity)
        }
        connect()
    }

    private static func classes(_ types: [ScannedType]) -> [ScannedType] {
        types.flatMap { ($0.kind == .class ? [$0] : []) + classes($0.members.types) }
    }

    /// The names of the classes that are, or descend from, `NSManagedObject`.
    private static func managed(_ classes: [ScannedType]) -> Set<String> {
        var names: Set<String> = []
        while true {
            let more = classes.filter { type in
                !names.contains(type.name)
                    && type.inherited.compactMap(\.lastName).contains {
                        $0 == "NSManagedObject" || names.contains($0)
                    }
            }
            if more.isEmpty { return names }
            names.formUnion(more.map(\.name))
        }
    }

    // MARK: Properties

    private mutating func property(_ member: Member, entities: Set<String>) -> PropertySchema {
        let (type, isOptional) = (member.property.type ?? .unsupported("")).unwrapped
        let name = member.property.name
        if let relationship = relationship(member, type: type, entities: entities) {
            var property = PropertySchema(name: name, kind: .relationship(relationship))
            property.isOptional = true
            return property
        }
        let known = type.lastName.flatMap { Self.attributes[$0] }
        if known == nil {
            remark(member, text: "is of type \(type.spelling), for which it is a transformable attribute")
        }
        var traits = AttributeTraits(known ?? .transformable)
        traits.usesScalarValueType = type.lastName.map(Self.scalars.contains) ?? false
        var property = PropertySchema(name: name, kind: .attribute(traits))
        property.isOptional = isOptional || traits.usesScalarValueType
        return property
    }

    /// Nil for what leads to no entity.
    private mutating func relationship(
        _ member: Member, type: TypeSyntax, entities: Set<String>
    ) -> RelationshipTraits? {
        guard case .named(let path) = type, let last = path.last else { return nil }
        if entities.contains(last.name) {
            var traits = RelationshipTraits(destinationEntityName: last.name, inverseName: nil)
            traits.maxCount = 1
            return traits
        }
        guard ["Set", "NSSet", "NSOrderedSet"].contains(last.name) else { return nil }
        let stated = last.arguments.first?.lastName.flatMap { entities.contains($0) ? $0 : nil }
        guard let destination = stated ?? namesake(of: member.property.name, entities) else {
            remark(member, text: "is to many objects of an entity that can't be told: give it a destination")
            return nil
        }
        if stated == nil { remark(member, text: "is taken to lead to \(destination), by its name") }
        var traits = RelationshipTraits(destinationEntityName: destination, inverseName: nil)
        traits.maxCount = 0
        traits.isOrdered = last.name == "NSOrderedSet"
        return traits
    }

    /// The entity that a relationship's plural is of: `heroes` leads to Hero.
    private func namesake(of name: String, _ entities: Set<String>) -> String? {
        let plural = name.lowercased()
        return entities.filter { entity in
            let singular = entity.lowercased()
            return [singular + "s", singular + "es", String(singular.dropLast()) + "ies", singular]
                .contains(plural)
        }.sorted().first
    }

    // MARK: Inverses

    /// Two relationships between two entities, one each way, are each other's inverses.
    private mutating func connect() {
        for (number, entity) in model.entities.enumerated() {
            for (place, property) in entity.properties.enumerated() {
                guard case .relationship(var traits) = property.kind, traits.inverseName == nil else {
                    continue
                }
                let there = backwards(from: traits.destinationEntityName, to: entity.name)
                let here = backwards(from: entity.name, to: traits.destinationEntityName)
                guard there.count == 1, here.count == 1 else {
                    remark(
                        entity.name, property: property.name,
                        text: "has no inverse that can be told: give it one")
                    continue
                }
                traits.inverseName = there[0]
                model.entities[number].properties[place].kind = .relationship(traits)
            }
        }
    }

    private func backwards(from entity: String, to destination: String) -> [String] {
        let properties = model.entities.first { $0.name == entity }?.properties ?? []
        return properties.filter { $0.relationship?.destinationEntityName == destination }.map(\.name)
    }

    private mutating func remark(_ member: Member, text: String) {
        remark(member.entity, property: member.property.name, text: text)
    }

    private mutating func remark(_ entity: String, property: String, text: String) {
        remarks.append(ModelProblem(.warning, message: text, entity: entity, property: property))
    }
}

extension TypeSyntax {
    /// The last part of a dotted name.
    fileprivate var lastName: String? {
        if case .named(let components) = self { return components.last?.name }
        return nil
    }
}
