// From a model to the classes that are to be written.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// Plans the classes of one model and notes what is wrong.
struct ClassPlanner {
    let options: GenerationOptions
    let index: ModelIndex
    /// Path of the version that is generated from, for problems.
    let file: String
    let places: ClassPlaces
    let names: TypeNames
    let written: HandWritten
    var problems: [GenerationProblem] = []
    /// The entities of each class, the highest first.
    private(set) var entitiesByClass: [String: [ModelIndex.Entity]] = [:]

    init(_ schema: ModelSchema, file: String, options: GenerationOptions, written: HandWritten) {
        self.options = options
        self.file = file
        self.written = written
        index = ModelIndex(schema)
        let module = options.module ?? ""
        places = ClassPlaces([schema], moduleName: module)
        for name in index.entityNames {
            guard let entity = index.entity(name),
                let className = ClassPlaces.className(entity.schema, moduleName: module)
            else { continue }
            entitiesByClass[className, default: []].append(entity)
        }
        for name in entitiesByClass.keys {
            entitiesByClass[name]?.sort { ($0.ancestry.count, $0.name) < ($1.ancestry.count, $1.name) }
        }
        names = TypeNames(taken: Set(entitiesByClass.keys).union(written.typeNames))
    }

    /// The plans, sorted by class.
    mutating func plans() -> [ClassPlan] {
        var plans: [ClassPlan] = []
        for (name, entities) in entitiesByClass.sorted(by: { $0.key < $1.key }) {
            guard let mode = mode(of: entities) else { continue }
            if let plan = plan(name, entities: entities, declaresClass: mode == .class) { plans.append(plan) }
        }
        addTemplates(to: &plans)
        return plans
    }

    /// Returns the mode of generation of a class: nil, if none of its entities asks for it.
    private func mode(of entities: [ModelIndex.Entity]) -> GenerationOptions.Mode? {
        if let wanted = options.entities, !entities.contains(where: { wanted.contains($0.name) }) {
            return nil
        }
        if options.mode != .model { return options.mode }
        let stated = Set(entities.compactMap(\.schema.codeGeneration))
        return stated.contains("class") ? .class : stated.contains("category") ? .category : nil
    }

    // MARK: One class

    private mutating func plan(
        _ name: String, entities: [ModelIndex.Entity], declaresClass: Bool
    ) -> ClassPlan? {
        let top = entities[0]
        guard TypeNames.isPath(name), !declaresClass || !name.contains(".") else {
            add(.error, entity: top, property: nil, message: "\"\(name)\" is no name for a class")
            return nil
        }
        let superclasses = Set(entities.map { superclass(of: $0, below: name) })
        guard superclasses.count == 1, let superclass = superclasses.first else {
            add(
                .error, entity: top, property: nil,
                message:
                    "the class \(name) is that of several entities, but these inherit from different classes: "
                    + superclasses.sorted().joined(separator: ", "))
            return nil
        }
        let access = declaresClass ? level(below: top) : written.access(of: name) ?? options.access.level
        var plan = ClassPlan(
            name: name, superclass: superclass, entity: top.schema, declaresClass: declaresClass,
            access: access,
            isIdentifiable: superclass == "NSManagedObject" && !written.conforms(name, to: "Identifiable"),
            properties: [])
        plan.properties = properties(of: name, entities: entities, access: access)
        if let id = plan.properties.first(where: { $0.name == "id" }), !Self.isHashable(id.type) {
            plan.isIdentifiable = false
            add(
                .warning, entity: top, property: "id",
                message: "the class can't be Identifiable by a property of type \(id.type)")
        }
        return plan
    }

    /// Returns the visibility of a generated class: not further than hand-written ones above it.
    private func level(below entity: ModelIndex.Entity) -> AccessLevel {
        let above = entity.ancestry.dropFirst().compactMap { className(of: $0).flatMap(written.access) }
        return above.reduce(options.access.level, min)
    }

    private static func isHashable(_ type: String) -> Bool { !type.contains("Any") }

    /// The class of the nearest superentity that has another.
    private func superclass(of entity: ModelIndex.Entity, below name: String) -> String {
        for ancestor in entity.ancestry.dropFirst() {
            guard let found = className(of: ancestor), found != name else { continue }
            return found
        }
        return "NSManagedObject"
    }

    /// The class of an entity, with its module if that is another.
    func className(of entity: String) -> String? {
        guard let schema = index.entity(entity)?.schema else { return nil }
        if let own = ClassPlaces.className(schema, moduleName: options.module ?? "") { return own }
        return schema.className.flatMap { TypeNames.isPath($0) ? $0 : nil }
    }

    /// The other modules whose classes the model names.
    var foreignModules: Set<String> {
        Set(
            index.entityNames.compactMap { name in
                guard let schema = index.entity(name)?.schema,
                    ClassPlaces.className(schema, moduleName: options.module ?? "") == nil,
                    let parts = schema.className?.split(separator: "."), parts.count > 1
                else { return nil }
                return String(parts[0])
            })
    }

    /// The properties that the class's entities declare, and superentities without a class of their own.
    private mutating func properties(
        of name: String, entities: [ModelIndex.Entity], access: AccessLevel
    ) -> [PropertyPlan] {
        var found: [String: PropertyPlan] = [:]
        for entity in entities {
            var declaring: Set<String> = []
            for ancestor in entity.ancestry {
                if let other = className(of: ancestor), other != name { break }
                declaring.insert(ancestor)
            }
            for property in entity.properties {
                guard let owner = entity.declaringEntity[property.name], declaring.contains(owner),
                    let plan = plan(property, of: entity, in: name, access: access)
                else { continue }
                if let known = found[property.name], known.type != plan.type {
                    add(
                        .error, entity: entity, property: property.name,
                        message:
                            "the class \(name) is that of several entities, where the property has different types: "
                            + "\(known.type), \(plan.type)")
                }
                found[property.name] = found[property.name] ?? plan
            }
        }
        return found.values.sorted { $0.name < $1.name }
    }

    mutating func add(
        _ severity: GenerationProblem.Severity, entity: ModelIndex.Entity, property: String?,
        message: String
    ) {
        let problem = GenerationProblem(
            severity, file: file, entity: entity.name, property: property, message: message)
        if !problems.contains(problem) { problems.append(problem) }
    }
}

extension GenerationOptions.Access {
    var level: AccessLevel {
        switch self {
        case .internal: .internal
        case .package: .package
        case .public: .public
        case .open: .open
        }
    }
}
