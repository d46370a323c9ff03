// Computes where a model's properties go, in the layout of Apple's framework 1344.

package import CoreDataSchema

/// The layout of a new store.
package enum LayoutBuilder {
    /// The layout alone. `entities` restricts it to a configuration's entities.
    package static func layout(
        for index: ModelIndex, entities: Set<String>? = nil, form: StoreForm = .apple
    ) throws -> StoreLayout {
        try blueprint(for: index, entities: entities, form: form).layout()
    }

    /// The layout with all that DDL needs beside it.
    ///
    /// `joinOwners` name the join tables of pairs inside one entity, where they are known.
    package static func blueprint(
        for index: ModelIndex, entities: Set<String>? = nil, joinOwners: Set<PropertyAddress> = [],
        form: StoreForm = .apple
    ) throws -> StoreBlueprint {
        try blueprint(
            for: index, numbering: EntityNumbering(index, entities: entities), joinOwners: joinOwners,
            form: form)
    }

    /// The layout of a store whose entities have these numbers. Throws for an entity without one.
    package static func blueprint(
        for index: ModelIndex, numbers: [String: Int], form: StoreForm
    ) throws -> StoreBlueprint {
        try blueprint(
            for: index, numbering: EntityNumbering(index, known: numbers), joinOwners: [], form: form)
    }

    /// The names that follow from given entity numbers. `joinOwners` name their join tables where the model doesn't
    /// settle it.
    static func blueprint(
        for index: ModelIndex, numbering: EntityNumbering, joinOwners: Set<PropertyAddress>,
        form: StoreForm = .apple
    ) throws -> StoreBlueprint {
        var blueprint = StoreBlueprint(
            index: index, numbering: numbering, tables: [], joins: [], slots: [:], form: form)
        let tables = form.tableNames(index, numbering: numbering)
        try checkNames(index, numbering: numbering, tables: tables, form: form)
        let relationships = try RelationshipPlaces(index, numbering: numbering, owners: joinOwners)
        for root in numbering.names {
            guard let table = tables[root] else { continue }
            var draft = TableDraft(
                root: root, name: table, index: index, numbering: numbering,
                relationships: relationships, form: form)
            try draft.fill()
            blueprint.tables.append(draft.shape)
            blueprint.slots.merge(draft.slots) { first, _ in first }
        }
        blueprint.addJoins(relationships.joins)
        return blueprint
    }

    /// SQLite doesn't tell `ZCAR` from `Zcar`, and its texts, as PostgreSQL's, can't go on after a zero character.
    private static func checkNames(
        _ index: ModelIndex, numbering: EntityNumbering, tables: [String: String], form: StoreForm
    ) throws {
        var roots: [String: String] = [:]
        for name in numbering.names {
            guard let entity = index.entity(name) else { continue }
            if name.contains("\0") || entity.properties.contains(where: { $0.name.contains("\0") }) {
                throw LayoutFailure(entity: name, "its name or that of a property contains a zero character")
            }
            guard let table = tables[name] else { continue }
            let key = form.sharesNames ? table : table.uppercased()
            if let other = roots.updateValue(name, forKey: key) {
                throw LayoutFailure(
                    entity: name, "its table would have the same name as that of entity \"\(other)\"")
            }
        }
    }
}

/// The name, or the name with the first number that makes it differ from those taken.
func unique(_ name: String, taken: inout Set<String>) -> String {
    let free = firstFree(name, numbered: { name + String($0) }, isFree: { !taken.contains($0) })
    taken.insert(free)
    return free
}

/// The name, or the name with the first number under which it is free.
func firstFree(_ name: String, numbered: (Int) -> String, isFree: (String) -> Bool) -> String {
    if isFree(name) { return name }
    var number = 1
    while !isFree(numbered(number)) { number += 1 }
    return numbered(number)
}
