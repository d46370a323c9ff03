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
                DecodePlan(
                    member, layout: layout, shape: shape, columns: &names, properties: properties,
                    layouts: layouts))
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
