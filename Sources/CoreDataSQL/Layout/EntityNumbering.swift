// Z_ENT: which number each entity has in a store.

package import CoreDataSchema

/// The entities of a store in the order of their tables, with their numbers.
package struct EntityNumbering: Sendable, Hashable {
    /// Pre-order: each root followed by its subentities, depth first; siblings by name without regard to case.
    package let names: [String]
    package let numbers: [String: Int]

    /// Numbers the entities from 1 in their order, as Apple's framework does for a new store.
    ///
    /// With a subset (a configuration) the superentities of its members come along: they share the table.
    package init(_ index: ModelIndex, entities: Set<String>? = nil) {
        names = Self.preorder(index, entities: entities)
        numbers = Dictionary(uniqueKeysWithValues: zip(names, 1...))
    }

    /// The numbers that a store's Z_PRIMARYKEY states. A row that a migration left under an entity's former
    /// name counts for the entity whose renaming identifier it is.
    package init(_ index: ModelIndex, entities: Set<String>?, catalog: StoreCatalog) throws {
        names = Self.preorder(index, entities: entities)
        let stored = Dictionary(
            catalog.entityNumbers.filter { $0.number < HistoryLayout.changeNumber }.map {
                ($0.name, $0.number)
            },
            uniquingKeysWith: { first, _ in first })
        var numbers: [String: Int] = [:]
        for name in names {
            let formerName = index.entity(name)?.schema.renamingIdentifier
            guard let number = stored[name] ?? formerName.flatMap({ stored[$0] }) else {
                throw LayoutFailure(entity: name, "the store's Z_PRIMARYKEY doesn't list it")
            }
            numbers[name] = number
        }
        self.numbers = numbers
    }

    /// Numbers that entities have already, and fresh ones for others.
    ///
    /// - Parameters:
    ///   - known: the numbers by name.
    ///   - fresh: the first number for an entity without one; without it, such an entity is a failure.
    package init(_ index: ModelIndex, known: [String: Int], fresh: Int? = nil) throws {
        names = Self.preorder(index, entities: nil)
        var numbers: [String: Int] = [:]
        var next = fresh
        for name in names {
            if let number = known[name] {
                numbers[name] = number
            } else if let number = next {
                numbers[name] = number
                next = number + 1
            } else {
                throw LayoutFailure(entity: name, "the store doesn't have it")
            }
        }
        self.numbers = numbers
    }

    private static func preorder(_ index: ModelIndex, entities: Set<String>?) -> [String] {
        var members: Set<String> = []
        for name in entities ?? Set(index.model.entities.map(\.name)) {
            members.formUnion(index.entity(name)?.ancestry ?? [])
        }
        var ordered: [String] = []
        var pending =
            sortedIgnoringCase(
                members.filter { index.entity($0)?.rootName == $0 }
            ).reversed() as [String]
        while let name = pending.popLast() {
            ordered.append(name)
            let children = (index.entity(name)?.directSubentities ?? []).filter(members.contains)
            pending.append(contentsOf: sortedIgnoringCase(children).reversed())
        }
        return ordered
    }

    package func contains(_ entity: String) -> Bool { numbers[entity] != nil }

    /// The entity and those below it, in order.
    package func subtree(of name: String, in index: ModelIndex) -> [String] {
        names.filter { index.entity($0, isKindOf: name) }
    }
}

/// Names in the order that Apple's framework sorts entities and properties in: without regard to case.
func sortedIgnoringCase(_ names: some Sequence<String>) -> [String] {
    names.sorted(by: precedesIgnoringCase)
}

func precedesIgnoringCase(_ left: String, than right: String) -> Bool {
    let (foldedLeft, foldedRight) = (left.lowercased(), right.lowercased())
    return foldedLeft == foldedRight ? left < right : foldedLeft < foldedRight
}

/// The order in which Apple's framework names join tables: that of the names' UTF-16.
func precedesInCodeUnits(_ left: String, than right: String) -> Bool {
    left.utf16.lexicographicallyPrecedes(right.utf16)
}
