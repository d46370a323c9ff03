// The words of a row for the columns of a result, computed once for a table and a list of columns, so that
// the loop over rows looks nothing up.

package import CoreDataSQL
package import CoreDataSchema

/// Turns result rows of one table into rows of a slab. The result's columns are Z_ENT (only if the table is
/// polymorphic), Z_PK, Z_OPT, then `columns`.
///
/// Unchecked because the plans' memory is written by `init` only.
package final class RowDecoder: @unchecked Sendable {
    /// The physical columns to select, for `FetchDescription.Result.rows(columns:)`.
    package let columns: [String]
    package let shape: RowShape
    package let isPolymorphic: Bool
    /// The table's name.
    package let table: String
    /// `SELECT` of the columns from the table without a condition.
    package let selection: String
    let plans: [DecodePlan]
    /// The estimated bytes of text and the like in a row, until some rows were read.
    let arenaPerRow: Int
    /// Position in `plans` by Z_ENT, -1 where a number belongs to no entity of the decoder.
    let planByNumber: [Int: Int]
    /// Entity index by Z_ENT, for to-one relationships to one of several entities.
    let entityIndexes: [Int64: Int32]

    /// A decoder for the rows of an entity and its subentities.
    ///
    /// - Parameters:
    ///   - layouts: the row layouts of all entities of the model, by entity name.
    ///   - properties: names of the slots to read; `nil` reads all.
    package init(
        entity: EntityTable, in store: StoreLayout, layouts: [String: RowLayout],
        properties: Set<String>? = nil
    ) {
        let subtree = Set(entity.subtreeNumbers)
        let members = store.tables.values.filter {
            subtree.contains($0.number) && $0.table == entity.table && layouts[$0.entityName] != nil
        }.sorted { $0.number < $1.number }
        entityIndexes = store.entityIndexes(layouts)
        isPolymorphic = entity.isPolymorphic
        table = entity.table
        shape = RowShape(members.compactMap { layouts[$0.entityName] })
        var names = ColumnList(first: entity.isPolymorphic ? 3 : 2)
        var plans: [DecodePlan] = []
        var byNumber: [Int: Int] = [:]
        for member in members {
            guard let layout = layouts[member.entityName] else { continue }
            byNumber[member.number] = plans.count
            plans.append(
                DecodePlan(member, layout, shape, &names, properties: properties, layouts: layouts))
        }
        self.plans = plans
        arenaPerRow = 16 * (plans.map { $0.steps.count { $0.form.isReference } }.max() ?? 0)
        planByNumber = byNumber
        columns = names.names
        let heads = (entity.isPolymorphic ? ["Z_ENT"] : []) + ["Z_PK", "Z_OPT"]
        let all = heads + names.names.map(quoted(identifier:))
        selection = "SELECT \(all.joined(separator: ", ")) FROM \(quoted(identifier: entity.table))"
    }

    deinit {
        plans.forEach { $0.deallocate() }
    }

    /// The plan for a row with this Z_ENT; a table of one entity has one plan for all rows.
    func plan(_ number: Int64) -> DecodePlan? {
        guard isPolymorphic else { return plans.first }
        return Int(exactly: number).flatMap { planByNumber[$0] }.map { plans[$0] }
    }
}

/// Columns in the order in which they were first asked for.
struct ColumnList {
    private(set) var names: [String] = []
    private var positions: [String: Int] = [:]
    /// Result column of the first of them.
    let first: Int

    init(first: Int) {
        self.first = first
    }

    mutating func position(_ name: String) -> Int32 {
        if let position = positions[name] { return Int32(first + position) }
        positions[name] = names.count
        names.append(name)
        return Int32(first + names.count - 1)
    }
}

/// The plan for decoding the rows of one entity. Plain pointers, which the decoder frees:
/// nothing is retained per row.
struct DecodePlan: BitwiseCopyable {
    let entityIndex: Int32
    let steps: UnsafeMutableBufferPointer<DecodeStep>
    /// Null words and words of a row whose decoded slots are 0 and all others nil.
    let template: UnsafeMutablePointer<UInt64>
    let nullWordCount: Int
    /// The size of the template's part that a row needs: without the words if every one of them is decoded.
    let copiedCount: Int

    init(
        _ table: EntityTable, _ layout: RowLayout, _ shape: RowShape, _ columns: inout ColumnList,
        properties: Set<String>?, layouts: [String: RowLayout]
    ) {
        var steps: [DecodeStep] = []
        for slot in layout.slots where properties?.contains(slot.name) ?? true {
            if let step = DecodeStep(slot, table, &columns, layouts) { steps.append(step) }
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

    func deallocate() {
        steps.deallocate()
        template.deallocate()
    }
}

/// One cell: from which column to which word.
struct DecodeStep: BitwiseCopyable {
    enum Form: UInt8 {
        case integer16, integer32, integer64, boolean, real, text, uuid, bytes, externalBytes, decimal
        /// To-one; `entityColumn` or `entityIndex` tell the entity if the slot has a word for it.
        case key, keyOfSeveral
    }

    var form: Form
    var column: Int32
    /// Column with the target's Z_ENT, -1 if there is none.
    var entityColumn: Int32 = -1
    /// Entity index of the declared destination, for a target whose Z_ENT isn't known.
    var entityIndex: Int32 = 0
    var word: Int32
    var nullWord: Int32
    var nullBit: UInt64

    /// `nil` for a slot without column.
    init?(_ slot: Slot, _ table: EntityTable, _ columns: inout ColumnList, _ layouts: [String: RowLayout]) {
        guard let form = Form(slot.kind), let place = table.column(ofSlot: slot.name) else { return nil }
        self.form = form
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
    var isReference: Bool {
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
    func entityIndexes(_ layouts: [String: RowLayout]) -> [Int64: Int32] {
        var indexes: [Int64: Int32] = [:]
        for table in tables.values {
            if let layout = layouts[table.entityName] {
                indexes[Int64(table.number)] = Int32(layout.entityIndex)
            }
        }
        return indexes
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
