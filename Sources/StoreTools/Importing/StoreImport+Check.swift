// The checks of records beyond their cells: rules of the model, and relationships within the file.

import CoreData

extension StoreImport {
    /// A record that leads to others of the file.
    struct Seeker {
        let number: Int
        let record: ImportRecord
        let records: [Int]
        let sought: [SoughtKey]

        func failure(_ reason: String) -> ImportFailure { record.failure(reason) }
    }

    /// Learns what the file calls its records, where others of it may be named by that.
    func readNames() throws {
        var records = NumberedRecords(try reader())
        while let next = try records.next() {
            guard let record = try? next.get(), let entity = entity(of: record) else { continue }
            if records.number == 1, !mayNameOthers(record, entity: entity) { return }
            guard let name = try? name(of: record, entity) else { continue }
            let actual = self.entity(named: name, below: entity) ?? entity
            if names.updateValue((records.number, actual), forKey: name) != nil {
                note(record.failure("\(name) is the name of a record before it as well."), of: records.number)
            }
        }
    }

    private func entity(of record: ImportRecord) -> NSEntityDescription? {
        record.entity.map { store.model.entitiesByName[$0] } ?? entity
    }

    private func mayNameOthers(_ record: ImportRecord, entity: NSEntityDescription) -> Bool {
        if self.entity == nil { return true }
        let keys = record.cells.map(\.name)
        return keys.contains(KeyPathColumn.identity(of: entity))
            && keys.contains { entity.relationshipsByName[$0] != nil }
    }

    /// Throws if a value is missing or breaks a rule of the model.
    func validate(_ row: ImportedRow) throws {
        let rules = rules(of: row.entity)
        let missing = rules.required.first { property in
            if property is NSAttributeDescription { return row.values[property.name] == nil }
            return !row.targets.contains { $0.relationship.name == property.name }
                && !row.sought.contains { $0.column.property == property.name }
        }
        if let missing {
            guard try isUpdate(row) else {
                throw EntityRules.missing(missing)
            }
            // A batch would want the whole row.
            needsObjects = true
        }
        if rules.validated.isEmpty { return }
        for (name, value) in row.values where !(value is NSNull || value is ArchivedBytes) {
            guard rules.validated.contains(name) else { continue }
            try validate(value, for: name, of: row.entity)
        }
    }

    /// Throws if a value breaks a rule of its attribute.
    func validate(_ value: Any, for name: String, of entity: NSEntityDescription) throws {
        var value: Any? = value
        try scratchObject(entity).validateValue(&value, forKey: name)
    }

    /// Returns what the model asks of an entity's values, worked out once.
    func rules(of entity: NSEntityDescription) -> EntityRules {
        if let latestRules, latestRules.entity === entity { return latestRules }
        let rules = knownRules[ObjectIdentifier(entity)] ?? EntityRules(entity)
        knownRules[ObjectIdentifier(entity)] = rules
        latestRules = rules
        return rules
    }

    /// Returns whether the row changes an object of the store, which has what the row lacks.
    private func isUpdate(_ row: ImportedRow) throws -> Bool {
        guard isUpdating else { return false }
        return try ConstraintKey.all(of: row).contains { try $0.object(in: store) != nil }
    }

    private func scratchObject(_ entity: NSEntityDescription) -> NSManagedObject {
        let name = entity.name ?? ""
        if let known = scratch[name] { return known }
        let object = NSManagedObject(entity: entity, insertInto: nil)
        scratch[name] = object
        return object
    }

    // MARK: Within the file

    /// Notes the records that lead to nothing, or to records that are wrong themselves. Returns how many there are.
    func refuseLost(_ seekers: inout [Seeker]) throws -> Int {
        let before = bad.count
        try findSought(Set(seekers.flatMap(\.sought)))
        seekers.removeAll { seeker in
            guard let lost = seeker.sought.first(where: { soughtRecords[$0] == nil }) else { return false }
            note(seeker.failure("There is no object \(lost.words)."), of: seeker.number)
            return true
        }
        var goesOn = true
        while goesOn {
            let count = bad.count
            seekers.removeAll { seeker in
                if bad.contains(seeker.number) { return true }
                let targets = seeker.records + seeker.sought.compactMap { soughtRecords[$0] }
                guard targets.contains(where: bad.contains) else { return false }
                note(seeker.failure("It leads to a record of the file that is wrong."), of: seeker.number)
                return true
            }
            goesOn = bad.count > count
        }
        return bad.count - before
    }

    /// Looks in the file for the values that the store doesn't have.
    private func findSought(_ keys: Set<SoughtKey>) throws {
        if keys.isEmpty { return }
        let attributes = Set(keys.map { [$0.entity, $0.attribute] })
        var records = NumberedRecords(try reader())
        while let next = try records.next() {
            guard let record = try? next.get(), let entity = entity(of: record) else { continue }
            for pair in attributes {
                guard let destination = store.model.entitiesByName[pair[0]],
                    entity.isKindOf(entity: destination), let attribute = entity.attributesByName[pair[1]],
                    let cell = record.cells.first(where: { $0.name == pair[1] })?.cell,
                    let value = try? ImportedValue.hashable(ImportedValue.value(cell, for: attribute))
                else { continue }
                let key = SoughtKey(entity: pair[0], attribute: pair[1], value: value)
                guard keys.contains(key) else { continue }
                if soughtRecords.updateValue(records.number, forKey: key) != nil {
                    note(
                        record.failure("It isn't the only object \(key.words), which others lead to."),
                        of: records.number)
                }
            }
        }
    }
}

/// The demands of the model on the values of an entity's objects.
final class EntityRules {
    let entity: NSEntityDescription
    /// The entity's name.
    let name: String
    /// The column by which a file names its records.
    let identity: String
    /// Properties that must have a value and have none by themselves.
    let required: [NSPropertyDescription]
    /// Attributes with rules of their own.
    let validated: Set<String>
    /// Indicates that objects have values that must be unique.
    let hasConstraint: Bool

    static func missing(_ property: NSPropertyDescription) -> ToolFailure {
        ToolFailure("\"\(property.name)\" is required, and has no default value.")
    }

    init(_ entity: NSEntityDescription) {
        self.entity = entity
        name = entity.name ?? ""
        identity = KeyPathColumn.identity(of: entity)
        required = entity.properties.filter { property in
            if property.isOptional || property.isTransient { return false }
            guard let attribute = property as? NSAttributeDescription else {
                return (property as? NSRelationshipDescription)?.isToMany == false
            }
            return attribute.defaultValue == nil && !(attribute is NSDerivedAttributeDescription)
        }
        let attributes = entity.attributesByName.filter { !$0.value.validationPredicates.isEmpty }
        validated = Set(attributes.keys)
        hasConstraint = entity.hasConstraint
    }
}

extension ImportColumn {
    /// The property that the column's path begins with.
    fileprivate var property: String { String(name.prefix { $0 != "." }) }
}
