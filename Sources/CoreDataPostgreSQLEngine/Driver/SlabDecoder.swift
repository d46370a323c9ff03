// From results to slabs.

import CPostgreSQL
package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// Turns result rows of one table into rows of slabs. The result's columns are the entity's number (only if the table is
/// polymorphic), the key, the version, then `columns`.
///
/// Unchecked because the plans' memory is written by `init` only.
package final class SlabDecoder: @unchecked Sendable {
    /// The physical columns to select, for `FetchDescription.Result.rows(columns:)`.
    package let columns: [String]
    package let isPolymorphic: Bool
    let table: EntityTable
    /// Selects the rows with one of the keys that are bound.
    let selection: String
    /// Selects the row with the key that is bound.
    let singleSelection: String
    private let shape: RowShape
    private let plans: [DecodePlan]
    /// Position in `plans` by the entity's number.
    private let planByNumber: [Int64: Int]
    /// Entity index by number, for to-one relationships to one of several entities.
    private let entityIndexes: [Int64: Int32]

    /// - Parameter layouts: the row layouts of all entities of the model, by entity name.
    package init(entity: EntityTable, in store: StoreLayout, layouts: [String: RowLayout]) {
        let subtree = Set(entity.subtreeNumbers)
        let members = store.tables.values.filter {
            subtree.contains($0.number) && $0.table == entity.table && layouts[$0.entityName] != nil
        }.sorted { $0.number < $1.number }
        table = entity
        isPolymorphic = entity.isPolymorphic
        entityIndexes = store.entityIndexes(layouts)
        shape = RowShape(members.compactMap { layouts[$0.entityName] })
        var names = ColumnList(first: entity.isPolymorphic ? 3 : 2)
        var plans: [DecodePlan] = []
        var byNumber: [Int64: Int] = [:]
        for member in members {
            guard let layout = layouts[member.entityName] else { continue }
            byNumber[Int64(member.number)] = plans.count
            plans.append(
                DecodePlan(
                    member, layout: layout, shape: shape, columns: &names, properties: nil, layouts: layouts))
        }
        self.plans = plans
        planByNumber = byNumber
        columns = names.names
        let statements = ArrayStatements(entity, in: PostgreSQLDialect())
        selection = statements.selection(names.names)
        singleSelection = statements.singleSelection(names.names)
    }

    deinit {
        plans.forEach { $0.deallocate() }
    }

    /// The columns before those of the values.
    package var headCount: Int { isPolymorphic ? 3 : 2 }

    /// Hands over the rows in slabs of up to 256, each with the numbers of its rows in the result. Rows of entities that the
    /// decoder doesn't know are left out.
    package func decode(_ result: ServerResult, into receive: (RowSlab, [Int]) throws -> Void) throws {
        let rowCount = result.rowCount
        var next = 0
        while next < rowCount {
            let slab = RowSlab(shape, capacity: min(RowSlab.capacity, rowCount - next))
            var numbers: [Int] = []
            numbers.reserveCapacity(slab.capacity)
            while next < rowCount, slab.count < slab.capacity {
                if decode(result, number: next, into: slab) { numbers.append(next) }
                next += 1
            }
            if slab.count > 0 { try receive(slab, numbers) }
        }
    }

    private func decode(_ result: ServerResult, number: Int, into slab: RowSlab) -> Bool {
        let first = isPolymorphic ? 1 : 0
        let place = isPolymorphic ? planByNumber[result.integer(number, column: 0)] : plans.indices.first
        let key = result.integer(number, column: first)
        guard let place, key > 0 else { return false }
        let plan = plans[place]
        slab.primaryKeys[slab.count] = key
        slab.entities[slab.count] = plan.entityIndex
        let row = slab.row(slab.count)
        slab.count += 1
        (row - plan.nullWordCount).update(from: plan.template, count: plan.copiedCount)
        row[0] = UInt64(bitPattern: result.integer(number, column: first + 1))
        let cells = RowCells(result, row: number)
        for step in plan.steps { decode(step, from: cells, to: row, in: slab) }
        return true
    }

    @inline(__always)
    private func decode(
        _ step: DecodeStep, from cells: RowCells, to row: UnsafeMutablePointer<UInt64>, in slab: RowSlab
    ) {
        guard let bytes = cells[step.column] else {
            row[Int(step.word)] = 0
            row[Int(step.nullWord)] |= step.nullBit
            return
        }
        // Most cells are of eight bytes, and a word is all that there is to be made of them.
        if step.form == .integer64 || step.form == .key {
            row[Int(step.word)] = UInt64(bitPattern: BinaryForm.integer(bytes))
            return
        }
        let word = self.word(step, bytes: bytes, slab: slab)
        row[Int(step.word)] = word
        if word == 0, step.form.isReference { row[Int(step.nullWord)] |= step.nullBit }
        if step.form == .keyOfSeveral, word != 0 {
            let named = step.entityColumn < 0 ? nil : cells[step.entityColumn].map(BinaryForm.integer)
            row[Int(step.word) + 1] = UInt64(named.flatMap { entityIndexes[$0] } ?? step.entityIndex)
        }
    }

    /// The word of a value; 0 for a reference to a value that can't be read, which is nil.
    private func word(_ step: DecodeStep, bytes: UnsafeRawBufferPointer, slab: RowSlab) -> UInt64 {
        switch step.form {
        case .integer64, .key, .keyOfSeveral: return UInt64(bitPattern: BinaryForm.integer(bytes))
        // Values beyond the attribute's range lose their upper bits, as in an SQLite store.
        case .integer32:
            return UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: BinaryForm.integer(bytes))))
        case .integer16:
            return UInt64(bitPattern: Int64(Int16(truncatingIfNeeded: BinaryForm.integer(bytes))))
        case .boolean: return bytes.first == 0 ? 0 : 1
        case .real:
            return step.isDate ? BinaryForm.seconds(bytes).bitPattern : BinaryForm.double(bytes).bitPattern
        case .text:
            if bytes.count < RowSlab.largestArenaCell { return slab.store(bytes) }
            return slab.store(CellBox(.string(String(decoding: bytes, as: UTF8.self))))
        case .bytes, .externalBytes:
            if bytes.count < RowSlab.largestArenaCell { return slab.store(bytes) }
            return slab.store(CellBox(.data(Data(bytes))))
        case .uuid: return bytes.count == 16 ? slab.store(bytes) : 0
        case .decimal:
            return BinaryForm.decimal(bytes).map { withUnsafeBytes(of: $0) { slab.store($0) } } ?? 0
        }
    }
}

/// The cells of one row of a result.
private struct RowCells {
    private let handle: OpaquePointer
    private let row: Int32

    /// The result has to live as long.
    init(_ result: ServerResult, row: Int) {
        handle = result.handle
        self.row = Int32(truncatingIfNeeded: row)
    }

    /// A cell's bytes; `nil` for NULL.
    @inline(__always)
    subscript(_ column: Int32) -> UnsafeRawBufferPointer? {
        let length = PQgetlength(handle, row, column)
        // NULL has no length, and neither has an empty text.
        if length == 0, PQgetisnull(handle, row, column) != 0 { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column), count: Int(truncatingIfNeeded: length))
    }
}
