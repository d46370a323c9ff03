// Reads a store by the published facts about the format alone. It shares nothing with the library, so that an
// error of the library's can't hide behind the same error here.

package import Foundation

/// A store's rows, read with plain SQLite.
package final class StoreInspector {
    package let database: PlainDatabase
    /// Roots by name without regard to case, each followed by its subentities: the order of the numbers.
    package let entities: [InspectedEntity]
    let numbers: [String: Int64]
    package let tables: Set<String>
    private(set) var rows: [String: [Int64: [String: PlainValue]]] = [:]
    private(set) var columns: [String: [String: String]] = [:]

    package init(_ url: URL, _ entities: [InspectedEntity]) throws {
        database = try PlainDatabase(url)
        var ordered: [InspectedEntity] = []
        func visit(_ parent: String?) {
            let children = entities.filter { $0.parent == parent }
            for child in children.sorted(by: { $0.name.lowercased() < $1.name.lowercased() }) {
                ordered.append(child)
                visit(child.name)
            }
        }
        visit(nil)
        self.entities = ordered
        numbers = Dictionary(
            uniqueKeysWithValues: ordered.enumerated().map { ($1.name, Int64($0 + 1)) })
        tables = Set(try database.tableNames())
        for root in ordered where root.parent == nil {
            rows[root.name] = [:]
            for record in try database.records("SELECT * FROM \"\(table(of: root.name))\"") {
                if let key = record["Z_PK"]?.integer { rows[root.name]?[key] = record }
            }
            nameColumns(of: root)
        }
    }

    // MARK: The model

    func entity(_ name: String) -> InspectedEntity? { entities.first { $0.name == name } }

    /// The entity and those above it, the root first.
    func chain(_ name: String) -> [InspectedEntity] {
        guard let entity = entity(name) else { return [] }
        return (entity.parent.map(chain) ?? []) + [entity]
    }

    func root(of name: String) -> String { chain(name).first?.name ?? name }

    func table(of name: String) -> String { "Z" + root(of: name).uppercased() }

    func isKind(_ name: String, of ancestor: String) -> Bool { chain(name).contains { $0.name == ancestor } }

    /// Returns whether the entity has subentities.
    func hasChildren(_ name: String) -> Bool { entities.contains { $0.parent == name } }

    /// The entity that declares a relationship which an entity has, and the relationship.
    func declaration(_ relation: String, of name: String) -> (owner: String, relation: InspectedRelation)? {
        for entity in chain(name) {
            if let found = entity.relations.first(where: { $0.name == relation }) {
                return (entity.name, found)
            }
        }
        return nil
    }

    func inverse(_ relation: InspectedRelation) -> (owner: String, relation: InspectedRelation)? {
        relation.inverse.flatMap { declaration($0, of: relation.destination) }
    }

    // MARK: Columns

    /// Equal names within a tree get 1, 2, … in the order of the entities.
    private func nameColumns(of root: InspectedEntity) {
        var uses: [String: Int] = [:]
        for entity in entities where isKind(entity.name, of: root.name) {
            let toOnes = entity.relations.filter { !$0.isToMany }.map(\.name)
            for name in entity.attributes.map(\.name) + toOnes {
                let base = "Z" + name.uppercased()
                let use = uses[base, default: 0]
                uses[base] = use + 1
                columns[entity.name, default: [:]][name] = use == 0 ? base : base + "\(use)"
            }
        }
    }

    /// The column of an attribute or to-one that the entity declares.
    package func column(_ property: String, of entity: String) -> String { columns[entity]?[property] ?? "" }

    /// `Z<n>_REL`, which says what the target is where that isn't clear.
    func entityColumn(_ relation: InspectedRelation, of entity: String) -> String? {
        guard hasChildren(relation.destination), let number = numbers[relation.destination] else {
            return nil
        }
        return "Z\(number)_" + column(relation.name, of: entity).dropFirst()
    }

    /// `Z_FOK_REL`, the place among the objects of an ordered to-many.
    func orderColumn(_ relation: InspectedRelation, of entity: String) -> String? {
        guard let inverse = inverse(relation)?.relation, inverse.isToMany, inverse.isOrdered else {
            return nil
        }
        return "Z_FOK_" + column(relation.name, of: entity).dropFirst()
    }

    // MARK: Rows

    /// The entity whose number the row has.
    func entityName(of row: [String: PlainValue]) -> String? {
        guard let number = row["Z_ENT"]?.integer, number > 0, number <= entities.count else { return nil }
        return entities[Int(number) - 1].name
    }

    /// The object with a key in the tree of an entity; `nil` if there is none.
    func object(_ key: Int64, inTreeOf entity: String) -> InspectedKey? {
        guard let row = rows[root(of: entity)]?[key], let name = entityName(of: row) else { return nil }
        return InspectedKey(entity: name, key: key)
    }

    /// Every object in the store.
    package func objects() throws -> [InspectedObject] {
        var objects: [InspectedObject] = []
        let related = try relatedObjects()
        for (_, table) in rows {
            for (key, row) in table {
                guard let name = entityName(of: row) else { continue }
                objects.append(object(name, key, row, related))
            }
        }
        return objects.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    }

    private func object(
        _ name: String, _ key: Int64, _ row: [String: PlainValue],
        _ related: [String: [Int64: [InspectedKey]]]
    ) -> InspectedObject {
        var object = InspectedObject(
            entity: name, key: key, version: row["Z_OPT"]?.integer, attributes: [:], toOne: [:], toMany: [:])
        for entity in chain(name) {
            for attribute in entity.attributes {
                object.attributes[attribute.name] = row[column(attribute.name, of: entity.name)]
            }
            for relation in entity.relations {
                if relation.isToMany {
                    object.toMany[relation.name] = related["\(entity.name).\(relation.name)"]?[key] ?? []
                } else if let target = row[column(relation.name, of: entity.name)]?.integer {
                    object.toOne[relation.name] = self.object(target, inTreeOf: relation.destination)
                }
            }
        }
        return object
    }
}
