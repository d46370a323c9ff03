// From a model to the classes for SwiftData that are to be written.

import CoreDataSchema
import CoreDataSupport

/// Plans the classes of one model and notes what they can't say.
struct ModelClassPlanner {
    let options: GenerationOptions
    let index: ModelIndex
    /// Path of the version that is generated from, for problems.
    let file: String
    let names: TypeNames
    var problems: [GenerationProblem] = []
    /// The types of composite attributes, by name.
    private var structuresByName: [String: ModelStructure] = [:]

    var structures: [ModelStructure] { structuresByName.values.sorted { $0.name < $1.name } }

    init(_ schema: ModelSchema, file: String, options: GenerationOptions) {
        self.options = options
        self.file = file
        index = ModelIndex(schema)
        names = TypeNames(taken: Set(index.entityNames))
    }

    /// The classes, sorted by name.
    mutating func classes() -> [ModelClass] {
        let wanted = index.entityNames.filter { options.entities?.contains($0) ?? true }
        let classes = wanted.compactMap { name in index.entity(name).flatMap { plan($0) } }
        if options.entities == nil { noteModel() }
        return classes
    }

    // MARK: One class

    private mutating func plan(_ entity: ModelIndex.Entity) -> ModelClass? {
        guard TypeNames.isPath(entity.name), !entity.name.contains(".") else {
            add(.error, entity: entity, property: nil, message: "\"\(entity.name)\" is no name for a class")
            return nil
        }
        note(entity)
        var model = ModelClass(
            name: entity.name, superclass: entity.schema.superentityName,
            isInherited: !entity.directSubentities.isEmpty,
            documentation: Documentation.lines(Documentation.text(entity.schema.userInfo)))
        model.properties = entity.schema.properties.compactMap { plan($0, of: entity) }
        for ancestor in entity.ancestry.dropFirst().reversed() {
            guard let above = index.entity(ancestor) else { continue }
            // Planned again for their types alone: their own class notes their problems.
            let noted = problems
            model.inherited += above.schema.properties.compactMap { plan($0, of: above) }.filter(
                \.isRequired)
            problems = noted
        }
        model.declarations = [uniqueness(of: entity), indexes(of: entity)].compactMap(\.self)
        return model
    }

    private mutating func plan(_ property: PropertySchema, of entity: ModelIndex.Entity)
        -> ModelClassProperty?
    {
        note(property, of: entity)
        var plan: ModelClassProperty?
        switch property.kind {
        case .attribute(let traits): plan = attribute(property, traits: traits, of: entity)
        case .relationship(let traits): plan = relationship(property, traits: traits, of: entity)
        case .fetched:
            add(
                .warning, entity: entity, property: property.name,
                message:
                    "SwiftData has no fetched properties: it is left out; a FetchDescriptor asks the same")
        }
        plan?.documentation = Documentation.lines(Documentation.text(property.userInfo))
        return plan
    }

    /// The name of a property in a class, which can't be that of a member of every model.
    static func memberName(_ name: String) -> String { reserved.contains(name) ? name + "Value" : name }

    private static let reserved: Set<String> = [
        "description", "hasChanges", "hashValue", "isDeleted", "modelContext", "persistentBackingData",
        "persistentModelID", "schemaMetadata",
    ]

    /// The arguments that attributes and relationships share: the old name and the modifier of the version hash.
    func shared(_ property: PropertySchema) -> (originalName: String?, hashModifier: String?) {
        let member = Self.memberName(property.name)
        let old = property.renamingIdentifier ?? property.name
        return (
            old == member ? nil : "originalName: " + ValueLiteral.string(old),
            property.versionHashModifier.map { "hashModifier: " + ValueLiteral.string($0) }
        )
    }

    mutating func add(structure: ModelStructure) { structuresByName[structure.name] = structure }

    func hasStructure(_ name: String) -> Bool { structuresByName[name] != nil }

    // MARK: Constraints and indexes

    private mutating func uniqueness(of entity: ModelIndex.Entity) -> String? {
        let lists = entity.schema.uniquenessConstraints.compactMap {
            keyPaths($0, of: entity, subject: "the constraint")
        }
        return lists.isEmpty
            ? nil : "Unique<\(Keywords.escaped(entity.name))>(\(lists.joined(separator: ", ")))"
    }

    private mutating func indexes(of entity: ModelIndex.Entity) -> String? {
        var lists: [(keyPaths: String, isRTree: Bool)] = []
        for index in entity.schema.indexes {
            guard let names = names(of: index, in: entity),
                let keyPaths = keyPaths(names, of: entity, subject: "the index \"\(index.name)\"")
            else { continue }
            lists.append((keyPaths, index.elements.contains { $0.collation == .rTree }))
        }
        for names in entity.schema.compoundIndexes {
            if let keyPaths = keyPaths(names, of: entity, subject: "the index") {
                lists.append((keyPaths, false))
            }
        }
        for property in entity.schema.properties where property.isIndexed {
            lists.append(("[\\." + Keywords.escaped(Self.memberName(property.name)) + "]", false))
        }
        if lists.isEmpty { return nil }
        let hasRTrees = lists.contains(where: \.isRTree)
        let arguments = lists.map { list in
            hasRTrees ? (list.isRTree ? ".rtree" : ".binary") + "(\(list.keyPaths))" : list.keyPaths
        }
        return "Index<\(Keywords.escaped(entity.name))>(\(arguments.joined(separator: ", ")))"
    }

    /// The properties of an index, or nil where SwiftData has none like it.
    private mutating func names(of index: FetchIndexSchema, in entity: ModelIndex.Entity) -> [String]? {
        if index.partialPredicate != nil {
            add(
                .warning, entity: entity, property: nil,
                message:
                    "the index \"\(index.name)\" covers all objects: SwiftData's indexes have no predicate")
        }
        if index.elements.contains(where: { !$0.isAscending }) {
            add(
                .warning, entity: entity, property: nil,
                message: "the index \"\(index.name)\" ascends: SwiftData's indexes have no order")
        }
        let names = index.elements.compactMap { element in
            if case .property(let name) = element.subject { name } else { nil }
        }
        if names.count == index.elements.count, !names.isEmpty { return names }
        add(
            .warning, entity: entity, property: nil,
            message: "the index \"\(index.name)\" is left out: SwiftData has none of expressions")
        return nil
    }

    private mutating func keyPaths(_ names: [String], of entity: ModelIndex.Entity, subject: String)
        -> String?
    {
        let isSaid = names.allSatisfy { name in
            guard let property = entity.propertiesByName[name] else { return false }
            return property.attribute?.derivation == nil && !property.isTransient
        }
        guard isSaid else {
            let list = names.joined(separator: ", ")
            add(
                .warning, entity: entity, property: nil,
                message:
                    "\(subject) of \(list) is left out: the class has no such property, or doesn't store it")
            return nil
        }
        return "[" + names.map { "\\." + Keywords.escaped(Self.memberName($0)) }.joined(separator: ", ") + "]"
    }

    mutating func add(
        _ severity: GenerationProblem.Severity, entity: ModelIndex.Entity?, property: String?,
        message: String
    ) {
        let problem = GenerationProblem(
            severity, file: file, entity: entity?.name, property: property, message: message)
        if !problems.contains(problem) { problems.append(problem) }
    }
}
