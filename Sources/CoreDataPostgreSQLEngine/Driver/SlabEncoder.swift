// The words of rows as the parameters of statements.

package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// Writes rows of one entity.
package final class SlabEncoder: Sendable {
    package let table: EntityTable
    private let layout: RowLayout
    let steps: [EncodeStep]
    /// The entity's number by entity index.
    private let entityNumbers: [Int: Int64]
    private let statements: ArrayStatements
    let insertion: String
    let deletion: String
    /// One for each set of slots that changed together; a program changes few.
    private let updates = Mutex<[SlotSet: String]>([:])

    /// - Parameter layouts: the row layouts of all entities of the model, by entity name.
    package init(entity: EntityTable, layout: RowLayout, in store: StoreLayout, layouts: [String: RowLayout])
    {
        table = entity
        self.layout = layout
        let numbers = store.entityNumbers(layouts)
        entityNumbers = numbers
        steps = layout.slots.compactMap { EncodeStep($0, table: entity, layouts: layouts, numbers: numbers) }
        statements = ArrayStatements(entity, in: PostgreSQLDialect())
        insertion = statements.insertion(steps)
        deletion = statements.deletion
    }

    /// The steps of a set of slots, and the statement that writes them; slots without column have none.
    func update(_ slots: SlotSet) -> (steps: [EncodeStep], text: String) {
        let chosen = steps.filter { slots.contains($0.slot.index) }
        let text = updates.withLock { texts in
            if let text = texts[slots] { return text }
            let text = statements.update(chosen)
            texts[slots] = text
            return text
        }
        return (chosen, text)
    }

    /// Divides rows so that no part has many more rows, or bytes in the columns of the steps, than the limits.
    func parts(_ rows: [RowPointer], steps: [EncodeStep], limit: Int, bytes: Int) -> [Range<Int>] {
        let slots = steps.map(\.slot).filter(\.kind.isReference)
        var parts: [Range<Int>] = []
        var (start, sum) = (0, 0)
        for place in rows.indices {
            sum += slots.isEmpty ? 0 : size(rows[place], slots: slots)
            if place + 1 - start == limit || sum > bytes || place + 1 == rows.count {
                parts.append(start..<place + 1)
                (start, sum) = (place + 1, 0)
            }
        }
        return parts
    }

    /// The bytes of a row's texts and the like.
    private func size(_ row: RowPointer, slots: [Slot]) -> Int {
        slots.reduce(0) { sum, slot in
            if row.isNull(slot.index) { return sum }
            let reference = CellReference(word: row.words[slot.word])
            if !reference.isBox { return sum + reference.length }
            if let text = reference.box.text { return sum + text.utf8.count }
            if case .data(let data) = reference.box.value { return sum + data.count }
            return sum + 64
        }
    }

    /// Appends an array for each column of the steps.
    func append(_ rows: [RowPointer], steps: [EncodeStep], to parameters: inout ParameterList) throws {
        // Rows without their slabs, which needn't be retained for each cell.
        let words = rows.map(\.words)
        for step in steps {
            parameters.append(binary: try column(rows, words: words, step: step))
            if step.cell.hasEntity { parameters.append(binary: targets(rows, cell: step.cell)) }
        }
    }

    /// Adds what would be written of a row: the slots, or all of them if none are named.
    package func digest(of row: RowPointer, slots: [Int], into hasher: inout Hasher) throws {
        let steps = slots.isEmpty ? self.steps : update(SlotSet(slots)).steps
        var parameters = ParameterList()
        try append([row], steps: steps, to: &parameters)
        parameters.hash(into: &hasher)
    }

    private func column(
        _ rows: [RowPointer], words: [UnsafeMutablePointer<UInt64>], step: EncodeStep
    ) throws -> [UInt8] {
        switch step.slot.kind {
        case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral, .double, .float:
            return plainColumn(words, step: step)
        default: break
        }
        var array = ArrayEncoder(.init(step.cell.kind), count: rows.count)
        for row in rows {
            if row.isNull(step.slot.index) {
                array.appendNull()
            } else {
                try append(row, slot: step.slot, to: &array)
            }
        }
        return array.bytes
    }

    /// A column whose values are the words themselves.
    private func plainColumn(_ rows: [UnsafeMutablePointer<UInt64>], step: EncodeStep) -> [UInt8] {
        let (word, index) = (step.slot.word, step.slot.index)
        let (nullWord, nullBit) = (-1 - index >> 6, 1 << UInt64(index & 63) as UInt64)
        // NaN is NULL, as in SQLite.
        let isReal = step.slot.kind == .double || step.slot.kind == .float
        let values = rows.lazy.map { row -> UInt64? in
            if row[nullWord] & nullBit != 0 || isReal && Double(bitPattern: row[word]).isNaN { return nil }
            return row[word]
        }
        return ArrayEncoder.words(values, of: .init(step.cell.kind))
    }

    private func append(_ row: RowPointer, slot: Slot, to array: inout ArrayEncoder) throws {
        let word = row.words[slot.word]
        switch slot.kind {
        case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral, .double, .float:
            array.append(Int64(bitPattern: word))
        case .boolean: array.append(CollectionOfOne(word == 0 ? 0 : 1))
        case .date:
            let seconds = Double(bitPattern: word)
            if seconds.isNaN { return array.appendNull() }
            array.append(try moment(seconds, slot: slot))
        case .decimal:
            guard case .decimal(let number) = row.value(slot), number.isFinite else {
                return array.appendNull()
            }
            try array.append(number.description)
        case .string, .uri, .uuid, .data, .externalData, .transformable, .object:
            try refer(row, slot: slot, array: &array)
        }
    }

    private func moment(_ seconds: Double, slot: Slot) throws -> Int64 {
        guard let moment = BinaryForm.microseconds(seconds) else {
            throw ServerFailure(
                .value,
                message: "\(layout.entityName).\(slot.name): PostgreSQL has no place for the date \(seconds)."
            )
        }
        return moment
    }

    /// Appends what a `CellReference` refers to.
    private func refer(_ row: RowPointer, slot: Slot, array: inout ArrayEncoder) throws {
        let reference = CellReference(word: row.words[slot.word])
        if !reference.isBox, let bytes = row.slab?.bytes(reference) { return array.append(bytes) }
        switch try reference.isBox ? reference.box.load() : .null {
        case .string(let text): try array.append(text)
        case .url(let url): try array.append(url.absoluteString)
        case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { array.append($0) }
        case .data(let data): array.append(data)
        default: array.appendNull()
        }
    }

    /// The entities' numbers of the targets of a to-one relationship.
    private func targets(_ rows: [RowPointer], cell: EncodeCell) -> [UInt8] {
        var array = ArrayEncoder(.bigint, count: rows.count)
        for row in rows {
            if row.isNull(Int(cell.index)) {
                array.appendNull()
            } else if cell.kind == .toOneOfSeveral {
                let index = Int(truncatingIfNeeded: row.words[Int(cell.word) + 1])
                array.append(entityNumbers[index] ?? cell.destinationNumber)
            } else {
                array.append(cell.destinationNumber)
            }
        }
        return array.bytes
    }
}
