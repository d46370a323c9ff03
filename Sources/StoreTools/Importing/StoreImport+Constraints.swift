// Values that must be unique: which record has whose.

import CoreData

/// A combination of values that only one object may have.
struct ConstraintKey: Hashable {
    /// The entity that states the constraint.
    let entity: String
    let names: [String]
    let values: [AnyHashable]

    /// The combinations of a row; those with a nil value bind nobody.
    static func all(of row: ImportedRow) -> [ConstraintKey] {
        var keys: [ConstraintKey] = []
        var entity: NSEntityDescription? = row.entity
        while let declaring = entity {
            for constraint in declaring.uniquenessConstraints {
                let names = constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
                let values = names.compactMap { value($0, row: row) }
                let key = ConstraintKey(entity: declaring.name ?? "", names: names, values: values)
                if values.count == names.count, !keys.contains(where: { $0.names == names }) {
                    keys.append(key)
                }
            }
            entity = declaring.superentity
        }
        return keys
    }

    /// The row's value, or the default that it will have. Relationships aren't looked at.
    private static func value(_ name: String, row: ImportedRow) -> AnyHashable? {
        let path = name.split(separator: ".").map(String.init)
        guard let first = path.first, let attribute = row.entity.attributesByName[first] else { return nil }
        var value: Any? = row.values[first] ?? attribute.defaultValue
        for element in path.dropFirst() { value = (value as? [String: Any])?[element] }
        return ImportedValue.hashable(value)
    }

    /// The object of the store that has these values.
    func object(in store: OpenStore) throws -> NSManagedObjectID? {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        request.includesPendingChanges = false
        request.fetchLimit = 1
        request.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: zip(names, values).map { Self.equality(keyPath: $0, value: $1) })
        return try store.context.fetch(request).first
    }

    /// A format would take texts and dates, but no numbers: those are no `CVarArg` once they are `AnyHashable`.
    static func equality(keyPath: String, value: AnyHashable) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: keyPath),
            rightExpression: NSExpression(forConstantValue: value.base), modifier: .direct, type: .equalTo)
    }

    /// `email "a"`.
    var words: String {
        zip(names, values).map { "\($0) \"\(PrintedValue(any: $1.base).cell)\"" }.joined(separator: ", ")
    }
}

extension StoreImport {
    /// Notes the records whose unique values another record or the store has, which `check()` leaves to the
    /// store: it keeps what all records have.
    ///
    /// - Returns: how many there are.
    /// - Throws: the errors of reading the store, and those of reading the file.
    public func findConflicts() throws -> Int {
        var owners: [ConstraintKey: String] = [:]
        var records = NumberedRecords(try reader())
        let before = failureCount
        while let next = try records.next() {
            if bad.contains(records.number) { continue }
            guard let record = try? next.get(), let row = try? row(record, number: records.number) else {
                continue
            }
            let keys = ConstraintKey.all(of: row)
            if let reason = try keys.lazy.compactMap({ try self.conflict($0, owners: owners) }).first {
                note(record.failure(reason), of: records.number)
            } else {
                for key in keys { owners[key] = record.place }
            }
        }
        return failureCount - before
    }

    /// Throws if objects of an entity can't be updated: they are found by what must be unique, and would all be added anew.
    ///
    /// - Parameter orBelow: whether an entity that inherits may have the constraint.
    func requireConstraint(of entity: NSEntityDescription, orBelow: Bool = false) throws {
        let rules = rules(of: entity)
        if orBelow ? entity.leadsToConstraint : rules.hasConstraint { return }
        throw ToolFailure(
            "\(rules.name) has no uniqueness constraint, by which the objects to update are found: add one to the model, "
                + "or import without --update.")
    }

    private func conflict(_ key: ConstraintKey, owners: [ConstraintKey: String]) throws -> String? {
        if let place = owners[key] {
            return
                "\(place.prefix(1).uppercased())\(place.dropFirst()) has \(key.words) as well, which must be unique."
        }
        return try key.object(in: store).map {
            "\(ObjectName.text(of: $0)) has \(key.words) already, which must be unique."
        }
    }
}

extension NSEntityDescription {
    /// Indicates that objects of the entity have values that must be unique.
    var hasConstraint: Bool { !uniquenessConstraints.isEmpty || superentity?.hasConstraint == true }

    /// Indicates that objects of the entity, or of one that inherits from it, have such values.
    fileprivate var leadsToConstraint: Bool {
        hasConstraint || subentities.contains(where: \.leadsToConstraint)
    }
}
