// The loop that every fetched row goes through.

import CSQLite
import CoreDataSQL
import CoreDataSchema
import Foundation

extension RowDecoder {
    /// Decodes the statement's current row into the next row of the slab. False, and the slab unchanged, if the
    /// row belongs to no entity of the decoder or has a key that no store gives out.
    @inline(__always)
    func decodeRow(
        _ statement: OpaquePointer, into slab: RowSlab, files: ExternalFiles?
    ) -> Bool {
        var column: Int32 = 0
        var plan = plans.first
        if isPolymorphic {
            plan = self.plan(sqlite3_column_int64(statement, 0))
            column = 1
        }
        guard let plan else { return false }
        let primaryKey = sqlite3_column_int64(statement, column)
        guard primaryKey > 0 else { return false }
        let number = slab.count
        slab.primaryKeys[number] = primaryKey
        slab.entities[number] = plan.entityIndex
        slab.count = number + 1
        let row = slab.row(number)
        (row - plan.nullWordCount).update(from: plan.template, count: plan.copiedCount)
        row[0] = UInt64(bitPattern: sqlite3_column_int64(statement, column + 1))
        for step in plan.steps { decode(step, statement: statement, row: row, slab: slab, files: files) }
        return true
    }

    @inline(__always)
    private func decode(
        _ step: DecodeStep, statement: OpaquePointer, row: UnsafeMutablePointer<UInt64>, slab: RowSlab,
        files: ExternalFiles?
    ) {
        var word: UInt64
        switch step.form {
        case .integer64: word = UInt64(bitPattern: sqlite3_column_int64(statement, step.column))
        case .real: word = sqlite3_column_double(statement, step.column).bitPattern
        default: word = slowly(step, statement: statement, row: row, slab: slab, files: files)
        }
        if word == 0, step.zeroIsNil || sqlite3_column_type(statement, step.column) == SQLITE_NULL {
            row[Int(step.nullWord)] |= step.nullBit
        }
        row[Int(step.word)] = word
    }

    /// The word of a cell whose form takes more than a call; 0 for nil if the form is a reference.
    @inline(never)
    private func slowly(
        _ step: DecodeStep, statement: OpaquePointer, row: UnsafeMutablePointer<UInt64>, slab: RowSlab,
        files: ExternalFiles?
    ) -> UInt64 {
        switch step.form {
        case .text: return slab.storeText(statement, column: step.column)
        case .bytes: return slab.storeBytes(statement, column: step.column)
        case .boolean: return sqlite3_column_int64(statement, step.column) == 0 ? 0 : 1
        // Values beyond the attribute's range lose their upper bits, as an assignment to the type does in C.
        case .integer16:
            return UInt64(
                bitPattern: Int64(Int16(truncatingIfNeeded: sqlite3_column_int64(statement, step.column))))
        case .integer32:
            return UInt64(
                bitPattern: Int64(Int32(truncatingIfNeeded: sqlite3_column_int64(statement, step.column))))
        case .uuid: return slab.storeUUID(statement, column: step.column)
        case .decimal: return slab.storeDecimal(statement, column: step.column)
        case .externalBytes: return slab.storeExternal(statement, column: step.column, files: files)
        case .key: return UInt64(max(0, sqlite3_column_int64(statement, step.column)))
        case .keyOfSeveral:
            let key = UInt64(max(0, sqlite3_column_int64(statement, step.column)))
            if key != 0 { row[Int(step.word) + 1] = UInt64(targetIndex(step, statement: statement)) }
            return key
        case .integer64, .real: return 0
        }
    }

    private func targetIndex(_ step: DecodeStep, statement: OpaquePointer) -> Int32 {
        guard step.entityColumn >= 0 else { return step.entityIndex }
        return entityIndexes[sqlite3_column_int64(statement, step.entityColumn)] ?? step.entityIndex
    }
}

extension DecodeStep {
    /// Indicates whether the word 0 means nil whatever the column's storage class: no
    /// reference and no key is 0.
    @inline(__always)
    fileprivate var zeroIsNil: Bool {
        switch form {
        case .text, .uuid, .bytes, .externalBytes, .decimal, .key, .keyOfSeveral: true
        default: false
        }
    }
}
