// Brings the records of a file into a store: all of them in one transaction, or none.

public import CoreData

/// One import. First every record is read and checked, then all are inserted by one batch, in flat memory, or as objects
/// where a batch can't.
public final class StoreImport {
    private static let reported = 20
    private static let remembered = 100_000

    private let store: OpenStore
    private let entity: NSEntityDescription
    private let reader: () throws -> any ImportReader
    private var columns: [String: ImportColumn] = [:]
    /// Objects that relationships name, by column and text.
    private var found: [String: NSManagedObjectID] = [:]

    /// What is wrong with the file's records, at most twenty of them.
    public private(set) var failures: [ImportFailure] = []
    public private(set) var failureCount = 0
    private var badLines: Set<Int> = []

    public init(
        into store: OpenStore, entity: NSEntityDescription, reader: @escaping () throws -> any ImportReader
    ) throws {
        if entity.isAbstract {
            throw ToolFailure(
                "\(entity.name ?? "") is abstract: objects are made of entities that inherit from it.")
        }
        self.store = store
        self.entity = entity
        self.reader = reader
    }

    /// Reads all records without writing any. Returns how many are right.
    public func check() throws -> Int {
        let records = try reader()
        let required = entity.properties.filter { !$0.isOptional && !$0.isTransient && Self.needsValue($0) }
        var count = 0
        while let record = try records.next() {
            do {
                let values = try self.values(of: record)
                if let missing = required.first(where: { values[$0.name] == nil }) {
                    throw ToolFailure("\"\(missing.name)\" is required, and has no default value.")
                }
                count += 1
            } catch {
                note(ImportFailure(line: record.line, readable(error)))
            }
        }
        return count
    }

    private static func needsValue(_ property: NSPropertyDescription) -> Bool {
        if let attribute = property as? NSAttributeDescription {
            return attribute.defaultValue == nil && !(attribute is NSDerivedAttributeDescription)
        }
        return (property as? NSRelationshipDescription)?.isToMany == false
    }

    private func note(_ failure: ImportFailure) {
        failureCount += 1
        badLines.insert(failure.line)
        if failures.count < Self.reported { failures.append(failure) }
    }

    /// Inserts the records that `check` found right. Where `updating`, those that the entity's uniqueness
    /// constraints find in the store are updated. Returns how many objects are new or changed.
    public func insert(updating: Bool, total: Int) throws -> Int {
        let records = try reader()
        let shown = Progress(entity.name ?? "", total: total)
        defer { shown.finish() }
        store.context.mergePolicy = updating ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.error
        return leadsIntoOrder ? try insertObjects(records, shown) : try insertRows(records, shown)
    }

    /// Whether a relationship's other side is ordered. Batches don't keep orders, so that objects have to be made,
    /// all of them before the save.
    private var leadsIntoOrder: Bool {
        columns.values.contains { column in
            guard case .relationship(let relationship, _) = column.target else { return false }
            return relationship.inverseRelationship?.isOrdered == true
        }
    }

    private func insertObjects(_ records: any ImportReader, _ shown: Progress) throws -> Int {
        var count = 0
        while let values = try nextValues(records) {
            let object = NSManagedObject(entity: entity, insertInto: store.context)
            for (key, value) in values {
                object.setValue(
                    (value as? NSManagedObjectID).map(store.context.object(with:)) ?? value, forKey: key)
            }
            shown.step()
            count += 1
        }
        try store.save()
        return count
    }

    private func insertRows(_ records: any ImportReader, _ shown: Progress) throws -> Int {
        let cancelling = Foundation.Progress(totalUnitCount: 1)
        var failure: (any Error)?
        let request = NSBatchInsertRequest(entity: entity) { (row: NSMutableDictionary) -> Bool in
            do {
                guard let values = try self.nextValues(records) else { return true }
                row.removeAllObjects()
                for (key, value) in values { row[key] = value }
                shown.step()
                return false
            } catch {
                failure = error
                cancelling.cancel()
                return true
            }
        }
        request.resultType = .count
        cancelling.becomeCurrent(withPendingUnitCount: 1)
        defer { cancelling.resignCurrent() }
        do {
            let result = try store.context.execute(request) as? NSBatchInsertResult
            return result?.result as? Int ?? 0
        } catch {
            throw failure ?? error
        }
    }

    private func nextValues(_ records: any ImportReader) throws -> [String: Any]? {
        while let record = try records.next() {
            if badLines.contains(record.line) { continue }
            do {
                return try values(of: record)
            } catch {
                throw ImportFailure(line: record.line, readable(error))
            }
        }
        return nil
    }

    // MARK: Values

    private func values(of record: ImportRecord) throws -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, cell) in record.cells {
            let column = try column(name)
            switch column.target {
            case .attribute(let attribute): values[name] = try ImportedValue.value(cell, for: attribute)
            case .element(let attribute, let path):
                guard let value = try ImportedValue.value(cell, for: attribute) else { continue }
                values[path[0]] = Self.setting(value, path.dropFirst(), in: values[path[0]])
            case .relationship(let relationship, let key):
                values[relationship.name] = try object(cell, column, relationship, key)
            }
        }
        return values
    }

    private func column(_ name: String) throws -> ImportColumn {
        if let known = columns[name] { return known }
        let column = try ImportColumn(name, of: entity)
        columns[name] = column
        return column
    }

    /// A composite value with one element more.
    private static func setting(_ value: Any, _ path: ArraySlice<String>, in composite: Any?) -> Any {
        guard let name = path.first else { return value }
        var elements = composite as? [String: Any] ?? [:]
        elements[name] = setting(value, path.dropFirst(), in: elements[name])
        return elements
    }

    private func object(
        _ cell: ImportRecord.Cell, _ column: ImportColumn, _ relationship: NSRelationshipDescription,
        _ key: NSAttributeDescription?
    ) throws -> NSManagedObjectID? {
        let text: String
        switch cell {
        case .text(let cell): text = cell
        case .json(is NSNull): return nil
        case .json(let value): text = "\(value)"
        }
        if text.isEmpty { return nil }
        let name = column.name + "\0" + text
        if let known = found[name] { return known }
        let object =
            try key.map { try search(relationship, $0, text, cell) } ?? store.object(named: text).objectID
        guard let destination = relationship.destinationEntity, object.entity.isKindOf(entity: destination)
        else {
            throw ToolFailure("\(text) can't be in \"\(relationship.name)\".")
        }
        if found.count == Self.remembered { found.removeAll(keepingCapacity: true) }
        found[name] = object
        return object
    }

    private func search(
        _ relationship: NSRelationshipDescription, _ key: NSAttributeDescription, _ text: String,
        _ cell: ImportRecord.Cell
    ) throws -> NSManagedObjectID {
        let destination = relationship.destinationEntity?.name ?? ""
        guard let value = try ImportedValue.value(cell, for: key) as? any CVarArg else {
            throw ToolFailure("\"\(text)\" is nothing to find \(destination) by.")
        }
        let request = NSFetchRequest<NSManagedObjectID>(entityName: destination)
        request.resultType = .managedObjectIDResultType
        request.predicate = NSPredicate(format: "%K == %@", key.name, value)
        request.fetchLimit = 2
        let objects = try store.context.fetch(request)
        guard let object = objects.first else {
            throw ToolFailure("There is no \(destination) whose \(key.name) is \"\(text)\".")
        }
        if objects.count > 1 {
            throw ToolFailure("There are several objects of \(destination) whose \(key.name) is \"\(text)\".")
        }
        return object
    }
}
