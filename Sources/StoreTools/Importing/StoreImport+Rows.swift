// A record's cells as values of the model.

import CoreData

extension StoreImport {
    private static let remembered = 100_000

    /// The record's values. Throws if one of them isn't what the model wants.
    func row(_ record: ImportRecord, number: Int) throws -> ImportedRow {
        let declared = try declaredEntity(of: record)
        let name = try self.name(of: record, declared)
        let actual = name.flatMap { entity(named: $0, below: declared) } ?? declared
        if actual.isAbstract {
            throw ToolFailure(
                "\(actual.name ?? "") is abstract: objects are made of entities that inherit from it.")
        }
        if isUpdating { try requireConstraint(of: actual) }
        var row = ImportedRow(number: number, record: record, entity: actual)
        for (place, (key, cell)) in record.cells.enumerated() {
            let column = try column(key, at: place, of: actual)
            switch column.target {
            case .identity: continue
            case .derived where name != nil: continue
            case .derived: throw ToolFailure("\"\(key)\" is derived: the store computes it.")
            case .attribute(let attribute):
                let value = try value(cell, attribute: attribute, statesNil: name != nil)
                row.values[key] = value
                if value is ArchivedBytes { row.needsObject = true }
            case .element(let attribute, let path):
                guard let value = try ImportedValue.value(cell, for: attribute) else { continue }
                row.values[path[0]] = Self.setting(value, path: path.dropFirst(), in: row.values[path[0]])
            case .relationship(let relationship, let attribute):
                try add(cell, column: column, relationship: relationship, attribute: attribute, to: &row)
            }
        }
        return row
    }

    private func declaredEntity(of record: ImportRecord) throws -> NSEntityDescription {
        if let name = record.entity { return try store.model.requiredEntity(name) }
        guard let entity else { throw ToolFailure("The entity of the record isn't named.") }
        return entity
    }

    /// The column at a place of a record, which is mostly the one of the record before.
    private func column(_ name: String, at place: Int, of entity: NSEntityDescription) throws -> ImportColumn
    {
        if latestColumns?.entity !== entity { latestColumns = (entity, []) }
        if let known = latestColumns?.columns, known.indices.contains(place), known[place].name == name {
            return known[place]
        }
        let column = try column(name, of: entity)
        if latestColumns?.columns.count == place { latestColumns?.columns.append(column) }
        return column
    }

    func column(_ name: String, of entity: NSEntityDescription) throws -> ImportColumn {
        if let known = columns[entity.name ?? ""]?[name] { return known }
        let column = try ImportColumn(name, of: entity)
        columns[entity.name ?? "", default: [:]][name] = column
        return column
    }

    /// Returns the file's name for the record; nil if it has none.
    func name(of record: ImportRecord, _ entity: NSEntityDescription) throws -> String? {
        let key = rules(of: entity).identity
        guard let cell = record.cells.first(where: { $0.name == key })?.cell else { return nil }
        return try Self.texts(cell, isToMany: false).first
    }

    /// The entity that an exported name states, `Star/2` in a file of authors.
    func entity(named name: String, below declared: NSEntityDescription) -> NSEntityDescription? {
        let parts = name.split(separator: "/")
        guard parts.count == 2, let entity = store.model.entitiesByName[String(parts[0])],
            entity.isKindOf(entity: declared)
        else { return nil }
        return entity
    }

    /// A record with a name states its object in whole, as an export does: what is empty is nil, not the default.
    func value(
        _ cell: ImportRecord.Cell, attribute: NSAttributeDescription, statesNil: Bool
    ) throws -> Any? {
        if let value = try ImportedValue.value(cell, for: attribute) { return value }
        return statesNil && attribute.isOptional ? NSNull() : nil
    }

    /// A composite value with one element more.
    private static func setting(_ value: Any, path: ArraySlice<String>, in composite: Any?) -> Any {
        guard let name = path.first else { return value }
        var elements = composite as? [String: Any] ?? [:]
        elements[name] = setting(value, path: path.dropFirst(), in: elements[name])
        return elements
    }

    // MARK: Relationships

    private func add(
        _ cell: ImportRecord.Cell, column: ImportColumn, relationship: NSRelationshipDescription,
        attribute: NSAttributeDescription?, to row: inout ImportedRow
    ) throws {
        let texts = try Self.texts(cell, isToMany: relationship.isToMany)
        if texts.isEmpty { return }
        var targets: [ImportTarget] = []
        for text in texts {
            if let target = try target(
                text, column: column, relationship: relationship, attribute: attribute, row: &row)
            {
                targets.append(target)
            }
        }
        if column.needsObjects { row.needsObject = true }
        row.targets.append((relationship, targets))
    }

    /// The names or values in a cell; those of a to-many relationship with semicolons between, or a JSON list.
    private static func texts(_ cell: ImportRecord.Cell, isToMany: Bool) throws -> [String] {
        switch cell {
        case .text(let text, _) where text.isEmpty: return []
        case .text(let text, _):
            return isToMany
                ? text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) } : [text]
        case .json(is NSNull): return []
        case .json(let values as [Any]) where isToMany:
            return try values.flatMap { try texts(.json($0), isToMany: false) }
        case .json(let text as String): return text.isEmpty ? [] : [text]
        case .json(let number as NSNumber): return [number.stringValue]
        case .json(let value):
            throw ToolFailure("\(PrintedValue(any: value).json) is nothing to find an object by.")
        }
    }

    private func target(
        _ text: String, column: ImportColumn, relationship: NSRelationshipDescription,
        attribute: NSAttributeDescription?, row: inout ImportedRow
    ) throws -> ImportTarget? {
        // An inherited property stands under its own name, and leads elsewhere in no entity.
        let name = column.name + "\0" + text
        if let known = found[name] { return known }
        guard let destination = relationship.destinationEntity else {
            throw ToolFailure("The relationship \"\(relationship.name)\" leads nowhere.")
        }
        let target: ImportTarget
        if let attribute {
            let key = try Self.key(text, attribute: attribute, destination: destination)
            if let number = soughtRecords[key] { return .record(number) }
            guard let object = try search(key, attribute: attribute) else {
                row.sought.append((column, key))
                return nil
            }
            target = .object(object)
        } else {
            let named = names[text]
            let object = try named == nil ? store.object(named: text) : nil
            guard (named?.entity ?? object?.entity)?.isKindOf(entity: destination) == true else {
                throw ToolFailure(
                    "\(text) can't be in \"\(relationship.name)\", which leads to \(destination.name ?? "").")
            }
            if let named { return .record(named.number) }
            guard let object else { return nil }
            target = .object(object.objectID)
        }
        if found.count >= Self.remembered { found.removeAll(keepingCapacity: true) }
        found[name] = target
        return target
    }

    static func key(
        _ text: String, attribute: NSAttributeDescription, destination: NSEntityDescription
    ) throws -> SoughtKey {
        let cell = ImportRecord.Cell.text(text, isQuoted: false)
        guard let value = try ImportedValue.hashable(ImportedValue.value(cell, for: attribute)) else {
            throw ToolFailure("\"\(text)\" is nothing to find \(destination.name ?? "") by.")
        }
        return SoughtKey(entity: destination.name ?? "", attribute: attribute.name, value: value)
    }

    /// The object of the store that has the value; nil if none has.
    private func search(_ key: SoughtKey, attribute: NSAttributeDescription) throws -> NSManagedObjectID? {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: key.entity)
        request.resultType = .managedObjectIDResultType
        request.predicate = ConstraintKey.equality(keyPath: key.attribute, value: key.value)
        request.fetchLimit = 2
        request.includesPendingChanges = false
        let objects = try store.context.fetch(request)
        if objects.count > 1 { throw ToolFailure("There are several objects \(key.words).") }
        return objects.first
    }
}

extension SoughtKey {
    /// `of Author whose email is "a"`.
    var words: String { "of \(entity) whose \(attribute) is \"\(PrintedValue(any: value.base).cell)\"" }
}
