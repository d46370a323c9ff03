// Brings the records of a file into a store: all of them in one transaction, or none.

public import CoreData

/// One import. First every record is read and checked, then all are inserted by one batch, in flat memory, or as objects
/// where a batch can't: `needsObjects` says when.
public final class StoreImport {
    private static let reported = 20

    let store: OpenStore
    /// The store's address.
    public var address: StoreAddress { store.address }
    /// The entity of the file's objects, unless the file names it.
    let entity: NSEntityDescription?
    let reader: () throws -> any ImportReader
    /// Indicates whether objects of the store that have the same unique values are changed.
    let isUpdating: Bool

    private var failures: [ImportFailure] = []
    /// The number of wrong records.
    public private(set) var failureCount = 0
    /// The numbers of wrong records.
    var bad: Set<Int> = []

    var columns: [String: [String: ImportColumn]] = [:]
    /// Records by what the file calls them.
    var names: [String: (number: Int, entity: NSEntityDescription)] = [:]
    /// Objects that relationships name, by column and text.
    var found: [String: ImportTarget] = [:]
    /// Records that relationships find by a value.
    var soughtRecords: [SoughtKey: Int] = [:]
    /// The demands of the model on entities, and on the one that came last.
    var knownRules: [ObjectIdentifier: EntityRules] = [:]
    var latestRules: EntityRules?
    /// The columns of the record that came last, with its entity.
    var latestColumns: (entity: NSEntityDescription, columns: [ImportColumn])?
    /// An object of each entity that is in no store, to validate values with.
    var scratch: [String: NSManagedObject] = [:]
    /// Entities of the records that were read.
    private var entities: Set<String> = []
    var needsObjects = false

    /// An import into a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - entity: the entity of the objects; nil if the file has objects of several entities.
    ///   - updating: whether objects that the entity's uniqueness constraints find in the store are changed.
    ///   - reader: opens the file anew.
    /// - Throws: `ToolFailure` for an entity that can't be imported; what `reader` throws.
    public init(
        into store: OpenStore, entity: NSEntityDescription?, updating: Bool = false,
        reader: @escaping () throws -> any ImportReader
    ) throws {
        self.store = store
        self.entity = entity
        isUpdating = updating
        self.reader = reader
    }

    /// Reads all records without writing any.
    ///
    /// - Returns: how many are right.
    /// - Throws: the errors of reading the file and the store; `ToolFailure` for an update of an entity without a
    ///   uniqueness constraint.
    public func check() throws -> Int {
        if isUpdating, let entity { try requireConstraint(of: entity, orBelow: true) }
        try readNames()
        let reader = try reader()
        if let entity { for name in reader.columns ?? [] { _ = try headColumn(name, of: entity) } }
        var records = NumberedRecords(reader)
        var count = 0
        var seekers: [Seeker] = []
        while let next = try records.next() {
            if bad.contains(records.number) { continue }
            do {
                let row = try self.row(next.get(), number: records.number)
                try validate(row)
                note(row, seekers: &seekers)
                count += 1
            } catch {
                note(Self.failure(error, next: next), of: records.number)
            }
        }
        return count - (try refuseLost(&seekers))
    }

    func headColumn(_ name: String, of entity: NSEntityDescription) throws -> ImportColumn {
        do {
            return try column(name, of: entity)
        } catch {
            throw ImportFailure(line: 1, readable(error))
        }
    }

    static func failure(_ error: any Error, next: Result<ImportRecord, ImportFailure>)
        -> ImportFailure
    {
        switch next {
        case .success(let record): record.failure(readable(error))
        case .failure(let failure): failure
        }
    }

    private func note(_ row: ImportedRow, seekers: inout [Seeker]) {
        entities.insert(rules(of: row.entity).name)
        let records = row.targets.flatMap(\.objects).compactMap {
            if case .record(let number) = $0 { number } else { nil }
        }
        if row.needsObject || !records.isEmpty || !row.sought.isEmpty || entities.count > 1 {
            needsObjects = true
        }
        if records.isEmpty, row.sought.isEmpty { return }
        seekers.append(
            Seeker(
                number: row.number, record: row.record.withoutCells, records: records,
                sought: row.sought.map(\.key)))
    }

    /// Returns what is wrong with records, at most twenty of them, and not what was told before.
    public func takeFailures() -> [ImportFailure] {
        defer { failures = [] }
        return failures
    }

    func note(_ failure: ImportFailure, of number: Int) {
        guard bad.insert(number).inserted else { return }
        failureCount += 1
        if failures.count < Self.reported { failures.append(failure) }
    }

    /// Inserts the records that `check()` found right.
    ///
    /// - Returns: how many objects are new or changed.
    /// - Throws: the errors of saving.
    public func insert(total: Int) throws -> Int {
        let shown = Progress(entity?.name ?? store.address.title, total: total)
        defer { shown.finish() }
        var rows = NumberedRecords(try reader())
        let next = { () throws -> ImportedRow? in
            while let next = try rows.next() {
                if self.bad.contains(rows.number) { continue }
                do {
                    shown.step()
                    return try self.row(next.get(), number: rows.number)
                } catch {
                    throw Self.failure(error, next: next)
                }
            }
            return nil
        }
        if !needsObjects, let entity { return try insertRows(entity, next: next) }
        return try insertObjects(next)
    }

    private func insertRows(_ entity: NSEntityDescription, next: @escaping () throws -> ImportedRow?) throws
        -> Int
    {
        try insertBatch(entity) { values in
            guard let row = try next() else { return false }
            values.removeAllObjects()
            for (key, value) in row.values { values[key] = value }
            for (relationship, targets) in row.targets {
                if case .object(let id)? = targets.first { values[relationship.name] = id }
            }
            return true
        }
    }

    /// Inserts rows by one batch.
    ///
    /// - Parameter fill: puts values into a row, and returns false when there are no more. Its errors take all rows back.
    /// - Returns: the number of rows.
    func insertBatch(
        _ entity: NSEntityDescription, fill: @escaping (NSMutableDictionary) throws -> Bool
    ) throws -> Int {
        let cancelling = Foundation.Progress(totalUnitCount: 1)
        var failure: (any Error)?
        let request = NSBatchInsertRequest(entity: entity) { (values: NSMutableDictionary) -> Bool in
            do {
                return try !fill(values)
            } catch {
                failure = error
                cancelling.cancel()
                return true
            }
        }
        request.resultType = .count
        store.context.mergePolicy =
            isUpdating ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.error
        cancelling.becomeCurrent(withPendingUnitCount: 1)
        defer { cancelling.resignCurrent() }
        let result = Result { try store.context.execute(request) as? NSBatchInsertResult }
        // Before the first row there is nothing to cancel, and the batch succeeds.
        if let failure { throw failure }
        return try result.get()?.result as? Int ?? 0
    }
}
