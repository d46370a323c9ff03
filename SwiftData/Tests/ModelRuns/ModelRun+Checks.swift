// What a run compares.

import Foundation
import SwiftData

extension ModelRun {
    /// The model of a number, in one of the ways to it.
    func model(_ editor: Editor, _ number: Int) throws -> any Knot {
        if let known = editor.held[number] { return known }
        let found: (any Knot)?
        if let id = editor.ids[number], random.pick(2) == 0 {
            found = editor.context.model(for: id) as? any Knot
        } else {
            editor.settle()
            func fetched<Model: Knot>(_ type: Model.Type) throws -> (any Knot)? {
                try editor.context.fetch(FetchDescriptor<Model>()).first { $0.number == number }
            }
            let type: any Knot.Type = editor.graph.nodes[number]?.kind.type ?? Person.self
            found = try fetched(type)
        }
        guard let found else {
            fault("\(editor.name) doesn't find \(editor.node(number))")
            throw CocoaError(.coderValueNotFound)
        }
        expect(found.number == number, "\(found.number) is found for \(number)")
        if random.pick(2) == 0 { editor.held[number] = found }
        if random.pick(3) == 0 { editor.ids[number] = found.persistentModelID }
        return found
    }

    /// The identifiers of saved models.
    func identifiers(_ numbers: Set<Int>) -> Set<PersistentIdentifier> {
        for number in numbers where identifiers[number] == nil { fault("\(number) has no identifier") }
        return Set(numbers.compactMap { identifiers[$0] })
    }

    func compare(_ model: any Knot, _ number: Int, _ node: Node, isGone: Bool = false) {
        expect(Kind.of(model) == node.kind, "\(number) is a \(Kind.of(model)), not a \(node.kind)")
        // The file of an external value goes with the row.
        for trait in Trait.of(node.kind) where !isGone || trait.name != "photo" {
            let (value, should) = (trait.get(model), node.traits[trait.name])
            expect(
                value == should,
                "\(node.kind) \(number).\(trait.name) is \(value), not \(String(describing: should))")
        }
    }

    private func compare(_ model: any Knot, _ number: Int, in graph: Sketch) {
        guard let node = graph.nodes[number] else { return fault("\(number) is there") }
        compare(model, number, node)
        for (relation, content) in Relation.all.enumerated() {
            for (index, side) in content.sides.enumerated() where node.kind.isA(side.kind) {
                let shown = side.get(model).map(\.number).sorted()
                let should = graph.others(of: number, relation, index)
                expect(
                    shown == should, "\(node.kind) \(number).\(side.name) leads to \(shown), not \(should)")
            }
        }
    }

    /// Compares all that a context shows.
    func check(_ editor: Editor) throws {
        note("\(editor.name) is checked")
        editor.settle()
        let found = try all(editor.context)
        let inside = editor.inside
        let (numbers, should) = (found.keys.sorted(), inside.numbers)
        expect(numbers == should, "\(editor.name) has \(numbers), not \(should)")
        for (number, model) in found { compare(model, number, in: inside) }
        for (number, model) in editor.held.sorted(by: { $0.key < $1.key }) {
            if editor.outside.contains(number) {
                compare(model, number, in: editor.graph)
                expect(model.modelContext == nil, "\(number) has a context")
            } else if !editor.twins.contains(number) {
                expect(found[number] === model, "\(number) has two models")
                expect(model.modelContext === editor.context, "\(number) isn't in its context")
            }
        }
        for (number, id) in editor.ids where inside.nodes[number] != nil && !editor.twins.contains(number) {
            expect(
                editor.context.model(for: id) === found[number], "the identifier of \(number) leads elsewhere"
            )
        }
        for (model, node) in editor.gone where model.modelContext == nil {
            compare(model, model.number, node, isGone: true)
        }
        try checkQueries(editor)
    }

    /// Compares all that is in the store.
    func checkStore() throws {
        let context = ModelContext(container)
        let found = try all(context)
        expect(
            found.keys.sorted() == saved.numbers, "the store has \(found.keys.sorted()), not \(saved.numbers)"
        )
        for (number, model) in found { compare(model, number, in: saved) }
    }

    /// Takes the relationships of models for what they should be.
    func learn(_ editor: Editor, _ nodes: [Int: Node]) throws {
        for (number, node) in nodes { editor.graph.nodes[number] = node }
        let found = try all(editor.context)
        // What was dropped together with a model returns with it.
        let returned = found.filter { editor.graph.nodes[$0.key] == nil }
        for (number, model) in returned {
            let kind = Kind.of(model)
            let traits = Trait.of(kind).map { ($0.name, $0.get(model)) }
            editor.graph.nodes[number] = Node(kind: kind, traits: Dictionary(uniqueKeysWithValues: traits))
        }
        for number in Set(nodes.keys).union(returned.keys).sorted() {
            guard let model = found[number] else { return fault("\(number) isn't there") }
            for (relation, content) in Relation.all.enumerated() {
                for (index, side) in content.sides.enumerated()
                where editor.graph.nodes[number]?.kind.isA(side.kind) == true {
                    editor.graph.set(number, relation, index, side.get(model).map(\.number))
                }
            }
        }
    }

    // MARK: Saves

    func checkSave(
        _ editor: Editor, from base: Sketch, _ told: [String: Set<PersistentIdentifier>]?,
        _ oldIDs: Set<PersistentIdentifier>
    ) throws {
        for (model, _) in editor.gone where base.nodes[model.number] != nil {
            expect(
                !model.isDeleted && model.modelContext == nil, "\(model.number) is not gone after the save")
        }
        let changes = try noteHistory(editor)
        let new = Set(saved.numbers).subtracting(base.numbers)
        let old = Set(base.numbers).subtracting(saved.numbers)
        let changed = base.numbers.filter { base.nodes[$0] != saved.nodes[$0] && !old.contains($0) }
        let (inserted, updated) = (identifiers(new), identifiers(Set(changed)))
        expect(changes.inserted == inserted, "history has other insertions than \(new)")
        expect(updated.isSubset(of: changes.updated), "history lacks updates of \(changed)")
        expect(changes.deleted == oldIDs, "history has other deletions than \(old)")
        guard let told else {
            return expect(new.isEmpty && old.isEmpty && changed.isEmpty, "no save is told")
        }
        expect(told["insertedIdentifiers"] == inserted, "other insertions are told than \(new)")
        expect(updated.isSubset(of: told["updatedIdentifiers"] ?? []), "updates of \(changed) aren't told")
        expect(told["deletedIdentifiers"] == oldIDs, "other deletions are told than \(old)")
    }

    struct HistoryChanges {
        var inserted: Set<PersistentIdentifier> = []
        var updated: Set<PersistentIdentifier> = []
        var deleted: Set<PersistentIdentifier> = []
    }

    /// Reads what is new in the history, and learns the identifiers of saved models.
    @discardableResult
    func noteHistory(_ editor: Editor) throws -> HistoryChanges {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token { descriptor.predicate = #Predicate { $0.token > token } }
        var changes = HistoryChanges()
        for transaction in try editor.context.fetchHistory(descriptor) {
            token = transaction.token
            for change in transaction.changes {
                let id = change.changedPersistentIdentifier
                switch change {
                case .insert: changes.inserted.insert(id)
                case .update: changes.updated.insert(id)
                case .delete(let delete):
                    changes.deleted.insert(id)
                    checkTombstone(delete, id)
                }
            }
        }
        identifiers = [:]
        for (number, model) in try all(ModelContext(container)) {
            identifiers[number] = model.persistentModelID
            badges[model.persistentModelID] = (model as? Person)?.badge
        }
        return changes
    }

    private func checkTombstone(_ delete: any HistoryDelete, _ id: PersistentIdentifier) {
        let badge: String?
        switch delete {
        case let delete as DefaultHistoryDelete<Teacher>: badge = delete.tombstone[\.badge] as? String
        case let delete as DefaultHistoryDelete<Person>: badge = delete.tombstone[\.badge] as? String
        default: return
        }
        expect(badge == badges[id], "the tombstone has \(badge ?? "nothing"), not \(badges[id] ?? "nothing")")
    }
}
