// Records that only objects can be made of: they all are in memory until the save.

import CoreData

extension StoreImport {
    func insertObjects(_ next: () throws -> ImportedRow?) throws -> Int {
        store.context.mergePolicy = NSMergePolicy.error
        var lines: [NSManagedObjectID: ImportFailure] = [:]
        do {
            var made = try makeObjects(next, lines: &lines)
            try made.connect()
            try store.save()
            return made.count
        } catch {
            store.context.reset()
            throw Self.located(error, lines: lines)
        }
    }

    private func makeObjects(
        _ next: () throws -> ImportedRow?, lines: inout [NSManagedObjectID: ImportFailure]
    ) throws -> ImportedObjects {
        var made = ImportedObjects(context: store.context)
        var owners: [ConstraintKey: NSManagedObject] = [:]
        while let row = try next() {
            let keys = isUpdating ? ConstraintKey.all(of: row) : []
            let object =
                try existing(keys, owners: owners, row: row)
                ?? NSManagedObject(entity: row.entity, insertInto: store.context)
            for key in keys { owners[key] = object }
            for (name, value) in row.values { Self.set(value, name: name, of: object) }
            lines[object.objectID] = row.record.failure("")
            made.add(row, object: object, sought: soughtRecords)
        }
        return made
    }

    private func existing(
        _ keys: [ConstraintKey], owners: [ConstraintKey: NSManagedObject], row: ImportedRow
    ) throws -> NSManagedObject? {
        for key in keys {
            guard
                let object = try owners[key] ?? key.object(in: store).map(store.context.object(with:))
            else { continue }
            if object.entity.isKindOf(entity: row.entity) { return object }
            throw row.record.failure(
                "\(object.printedName) has \(key.words) already, and is no \(row.entity.name ?? "").")
        }
        return nil
    }

    /// Elements of a composite value that a record leaves out keep their values.
    private static func set(_ value: Any, name: String, of object: NSManagedObject) {
        if let elements = value as? [String: Any],
            object.entity.attributesByName[name] is NSCompositeAttributeDescription,
            let old = object.value(forKey: name) as? [String: Any]
        {
            return object.setValue(old.merging(elements) { $1 }, forKey: name)
        }
        if let bytes = value as? ArchivedBytes { return object.setStoredData(bytes.data, forKey: name) }
        object.setValue(value is NSNull ? nil : value, forKey: name)
    }

    /// The error of a save with the line of the object that it is about.
    private static func located(_ error: any Error, lines: [NSManagedObjectID: ImportFailure]) -> any Error {
        let details = (error as NSError).userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error as NSError]
        guard let first = details.first,
            let object = first.userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
            let place = lines[object.objectID]
        else { return error }
        return ImportFailure(line: place.line, readable(first), file: place.file, record: place.record)
    }
}

/// The objects of an import, and what they are to be connected with.
private struct ImportedObjects {
    let context: NSManagedObjectContext
    private var objects: [Int: NSManagedObject] = [:]
    private var connections: [(NSManagedObject, NSRelationshipDescription, [ImportTarget])] = []

    var count: Int { objects.count }

    init(context: NSManagedObjectContext) { self.context = context }

    mutating func add(_ row: ImportedRow, object: NSManagedObject, sought: [SoughtKey: Int]) {
        objects[row.number] = object
        for (relationship, targets) in row.targets { connections.append((object, relationship, targets)) }
    }

    /// To-one relationships first: orders are those that the other side states.
    mutating func connect() throws {
        for (object, relationship, targets) in connections where !relationship.isToMany {
            object.setValue(targets.first.flatMap(target), forKey: relationship.name)
        }
        for (object, relationship, targets) in connections where relationship.isToMany {
            let stated = targets.compactMap(target)
            let isOrdered = relationship.isOrdered
            let others = KeyPathColumn.members(of: object, relationship.name, isOrdered: isOrdered)
                .filter { old in !stated.contains { $0 === old } }
            let members = stated + others
            object.setValue(
                isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: relationship.name)
        }
    }

    private func target(_ target: ImportTarget) -> NSManagedObject? {
        switch target {
        case .object(let id): context.object(with: id)
        case .record(let number): objects[number]
        }
    }
}
