// The words of a row for the columns of a result: computed once for a table and a list of columns, so that the loop over
// rows looks nothing up. The engines have the loops.

package import CoreDataSchema

/// Columns in the order in which they were first asked for.
package struct ColumnList {
    package private(set) var names: [String] = []
    private var positions: [String: Int] = [:]
    /// Result column of the first of them.
    package let first: Int

    package init(first: Int) {
        self.first = first
    }

    package mutating func position(_ name: String) -> Int32 {
        if let position = positions[name] { return Int32(first + position) }
        positions[name] = names.count
        names.append(name)
        return Int32(first + names.count - 1)
    }
}

/// The plan for decoding the rows of one entity. Plain pointers, which the decoder frees:
/// nothing is retained per row.
package struct DecodePlan: BitwiseCopyable {
    package let entityIndex: Int32
    package let steps: UnsafeMutableBufferPointer<DecodeStep>
    /// Null words and words of a row whose decoded slots are 0 and all others nil.
    package let template: UnsafeMutablePointer<UInt64>
    package let nullWordCount: Int
    /// The size of the template's part that a row needs: without the words if every one of them is decoded.
    package let copiedCount: Int

    package init(
        _ table: EntityTable, layout: RowLayout, shape: RowShape, columns: inout ColumnList,
        properties: Set<String>?, layouts: [String: RowLayout]
    ) {
        var steps: [DecodeStep] = []
        for slot in layout.slots where properties?.contains(slot.name) ?? true {
            if let step = DecodeStep(slot, table: table, columns: &columns, layouts: layouts) {
                steps.append(step)
            }
        }
        self.steps = .allocate(capacity: steps.count)
        _ = self.steps.initialize(from: steps)
        entityIndex = Int32(layout.entityIndex)
        nullWordCount = layout.nullWordCount
        let templateCount = layout.nullWordCount + layout.wordCount
        template = .allocate(capacity: templateCount)
        template.initialize(repeating: .max, count: nullWordCount)
        (template + nullWordCount).initialize(repeating: 0, count: layout.wordCount)
        for step in steps { template[nullWordCount + Int(step.nullWord)] &= ~step.nullBit }
        let isWhole = steps.count == layout.slots.count && !steps.contains { $0.form == .keyOfSeveral }
        copiedCount = isWhole ? nullWordCount : templateCount
    }

    package func deallocate() {
        steps.deallocate()
        template.deallocate()
    }
}

/// One cell: from which column to which word.
package struct DecodeStep: BitwiseCopyable {
    package enum Form: UInt8, Sendable, BitwiseCopyable {
        case integer16, integer32, integer64, boolean, real, text, uuid, bytes, externalBytes, decimal
        /// To-one; `entityColumn` or `entityIndex` tell the entity if the slot has a word for it.
        case key, keyOfSeveral
    }

    package var form: Form
    /// Indicates whether a real is a date.
    package var isDate: Bool
    package var column: Int32
    /// Column with the target's Z_ENT, -1 if there is none.
    package var entityColumn: Int32 = -1
    /// Entity index of the declared destination, for a target whose Z_ENT isn't known.
    package var entityIndex: Int32 = 0
    package var word: Int32
    package var nullWord: Int32
    package var nullBit: UInt64

    /// `nil` for a slot without column.
    init?(_ slot: Slot, table: EntityTable, columns: inout ColumnList, layouts: [String: RowLayout]) {
        guard let form = Form(slot.kind), let place = table.column(ofSlot: slot.name) else { return nil }
        self.form = form
        isDate = slot.kind == .date
        word = Int32(slot.word)
        nullWord = Int32(-1 - slot.index >> 6)
        nullBit = 1 << UInt64(slot.index & 63)
        switch place {
        case .attribute(let name, _):
            column = columns.position(name)
        case .toOne(let name, let entityName, _, let destination):
            column = columns.position(name)
            entityIndex = Int32(layouts[destination]?.entityIndex ?? 0)
            if form == .keyOfSeveral, let entityName { entityColumn = columns.position(entityName) }
        default: return nil
        }
    }
}

extension DecodeStep.Form {
    /// Indicates whether the cell's value goes to the slab's arena.
    package var isReference: Bool {
        switch self {
        case .text, .uuid, .bytes, .externalBytes, .decimal: true
        default: false
        }
    }

    init?(_ kind: SlotKind) {
        switch kind {
        case .integer16: self = .integer16
        case .integer32: self = .integer32
        case .integer64: self = .integer64
        case .boolean: self = .boolean
        case .double, .float, .date: self = .real
        case .string, .uri: self = .text
        case .uuid: self = .uuid
        case .data, .transformable: self = .bytes
        case .externalData: self = .externalBytes
        case .decimal: self = .decimal
        case .toOne: self = .key
        case .toOneOfSeveral: self = .keyOfSeveral
        case .object: return nil
        }
    }
}

extension StoreLayout {
    /// Entity index by Z_ENT.
    package func entityIndexes(_ layouts: [String: RowLayout]) -> [Int64: Int32] {
        var indexes: [Int64: Int32] = [:]
        for table in tables.values {
            if let layout = layouts[table.entityName] {
                indexes[Int64(table.number)] = Int32(layout.entityIndex)
            }
        }
        return indexes
    }

    /// Z_ENT by entity index.
    package func entityNumbers(_ layouts: [String: RowLayout]) -> [Int: Int64] {
        var numbers: [Int: Int64] = [:]
        for (number, index) in entityIndexes(layouts) { numbers[Int(index)] = number }
        return numbers
    }
}

extension EntityTable {
    /// The column of a slot; `attribute.element` finds an element of a composite attribute.
    package func column(ofSlot name: String) -> PropertyColumn? {
        if let column = columns[name] { return column }
        guard let dot = name.firstIndex(of: "."),
            case .composite(let elements)? = columns[String(name[..<dot])]
        else { return nil }
        return Self.element(name[name.index(after: dot)...], of: elements)
    }

    private static func element(_ path: Substring, of elements: [String: PropertyColumn]) -> PropertyColumn? {
        if let column = elements[String(path)] { return column }
        guard let dot = path.firstIndex(of: "."), case .composite(let inner)? = elements[String(path[..<dot])]
        else { return nil }
        return element(path[path.index(after: dot)...], of: inner)
    }
}
