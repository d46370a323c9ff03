// The edits of a run.

import Foundation
import SwiftData

extension ModelRun {
    func edit(_ editor: Editor) throws {
        guard let manager = editor.context.undoManager else { return try editOnce(editor) }
        editor.settle()
        let before = editor.inside
        manager.beginUndoGrouping()
        try editOnce(editor)
        editor.settle()
        manager.endUndoGrouping()
        let after = editor.inside
        editor.undoable.append((before, after))
        editor.redoable = []
    }

    private func editOnce(_ editor: Editor) throws {
        if random.pick(2) == 0 { editor.settle() }
        let numbers = editor.present
        guard numbers.count > 4 else { return make(editor) }
        switch random.pick(20) {
        case 0, 1, 2: make(editor)
        case 3, 4, 5, 6, 7: try change(editor, random.pick(of: numbers))
        case 8, 9: try delete(editor, random.pick(of: numbers))
        case 10: try insert(editor, random.pick(of: numbers))
        case 11: try insertAgain(editor)
        default: try relate(editor)
        }
    }

    // MARK: Making

    func make(_ editor: Editor) {
        made += 1
        let (number, kind) = (made, random.pick(of: [Kind.person, .person, .person] + Kind.allCases))
        var node = Node(kind: kind, traits: [:])
        // An undo manager doesn't know of models of no context.
        let isInserted = editor.context.undoManager != nil || random.pick(3) > 0
        let model = build(editor, number, kind)
        for trait in Trait.of(kind) {
            if random.pick(3) == 0 { trait.set(model, trait.make(&random)) }
            node.traits[trait.name] = trait.get(model)
        }
        editor.graph.nodes[number] = node
        editor.outside.insert(number)
        editor.held[number] = model
        for (relation, side, other) in related { editor.graph.add(number, relation, side, other) }
        related = []
        editor.joinRelated(number)
        note("\(editor.name) makes \(editor.node(number))\(isInserted ? " and inserts it" : "")")
        if isInserted { enter(editor, number) }
    }

    /// Makes a model, with an initialiser that may relate it to others.
    private func build(_ editor: Editor, _ number: Int, _ kind: Kind) -> any Knot {
        func other<Model: Knot>(_ kind: Kind, _ type: Model.Type, _ relation: Int, _ side: Int) -> Model? {
            let all = editor.numbers(kind)
            guard !all.isEmpty, random.pick(2) == 0 else { return nil }
            let number = random.pick(of: all)
            guard let model = try? model(editor, number) as? Model else { return nil }
            note("  related to \(editor.node(number)) by \(Relation.all[relation].sides[side].name)")
            related.append((relation, side, number))
            return model
        }
        switch kind {
        case .person:
            let mentor = other(.person, Person.self, 0, 0)
            return Person(
                number: number, name: "new", mentor: mentor,
                tags: Set([other(.tag, Tag.self, 4, 0)].compactMap { $0 }))
        case .teacher:
            return Teacher(
                number: number, name: "new", subject: "s", assistant: other(.person, Person.self, 6, 0))
        case .pet: return Pet(number: number, name: "new", owner: other(.person, Person.self, 3, 0))
        case .club:
            return Club(
                number: number, title: "c\(number)",
                members: [other(.person, Person.self, 2, 1)].compactMap { $0 })
        case .tag: return Tag(number: number, label: "t\(number)", colour: 1)
        case .passport:
            return Passport(number: number, code: random.uuid(), holder: other(.person, Person.self, 5, 1))
        }
    }

    private func enter(_ editor: Editor, _ number: Int) {
        guard let model = editor.held[number] else { return }
        editor.context.insert(model)
        editor.enter(number)
        if random.pick(3) == 0 { editor.ids[number] = model.persistentModelID }
    }

    private func insert(_ editor: Editor, _ number: Int) throws {
        note("\(editor.name) inserts \(editor.node(number))")
        editor.context.insert(try model(editor, number))
        editor.enter(number)
    }

    /// Inserts a model that was deleted, or dropped by a rollback. What it is related to by then is taken for what it should be.
    private func insertAgain(_ editor: Editor) throws {
        guard editor.context.undoManager == nil, !editor.hasUnsaved, !editor.gone.isEmpty else { return }
        let (model, node) = editor.gone.remove(at: random.pick(editor.gone.count))
        let number = model.number
        guard model.modelContext == nil, editor.graph.nodes[number] == nil, saved.nodes[number] == nil else {
            return
        }
        note("\(editor.name) inserts \(number) again")
        editor.context.insert(model)
        editor.settle()
        editor.gone = []
        try learn(editor, [number: node])
        editor.held[number] = model
    }

    // MARK: Changing

    private func change(_ editor: Editor, _ number: Int) throws {
        guard let node = editor.graph.nodes[number] else { return }
        let model = try model(editor, number)
        for _ in 0..<(1 + random.pick(3)) {
            let trait = random.pick(of: Trait.of(node.kind))
            let value = trait.make(&random)
            note("\(editor.name) sets \(editor.node(number)).\(trait.name) to \(value)")
            trait.set(model, value)
            editor.graph.nodes[number]?.traits[trait.name] = value
            expect(trait.get(model) == value, "\(number).\(trait.name) is \(trait.get(model)), not \(value)")
        }
    }

    private func relate(_ editor: Editor) throws {
        let (relation, index) = (random.pick(Relation.all.count), random.pick(2))
        let (side, back) = (Relation.all[relation].sides[index], Relation.all[relation].sides[1 - index])
        let (own, candidates) = (editor.numbers(side.kind), editor.numbers(back.kind))
        guard !own.isEmpty, !candidates.isEmpty else { return }
        let number = random.pick(of: own)
        let model = try model(editor, number)
        var joining: Set<Int> = []
        var others = Array(
            Set((0..<(side.isToOne ? 1 : 1 + random.pick(3))).map { _ in random.pick(of: candidates) })
        ).sorted()
        let models = try others.map { try self.model(editor, $0) }
        let choice = random.pick(6)
        if choice == 4 { others = [] }
        // A model enters with what it is related to before the change, too.
        if !editor.outside.isSuperset(of: others + [number]) {
            for end in others + [number] { joining.formUnion(editor.graph.reachable(end)) }
        }
        if let add = side.add, choice < 4 {
            note("\(editor.name) adds \(others) to \(editor.node(number)).\(side.name)")
            let known = editor.graph.others(of: number, relation, index)
            for (other, model_) in zip(others, models) where !known.contains(other) {
                add(model, model_)
                editor.graph.add(number, relation, index, other)
            }
        } else if choice == 4 {
            note("\(editor.name) empties \(editor.node(number)).\(side.name)")
            side.set(model, [])
            editor.graph.set(number, relation, index, [])
        } else {
            note("\(editor.name) sets \(editor.node(number)).\(side.name) to \(others)")
            side.set(model, models)
            editor.graph.set(number, relation, index, others)
        }
        editor.outside.subtract(joining)
        for end in others + [number] { editor.joinRelated(end) }
        if random.pick(3) == 0 {
            let shown = side.get(model).map(\.number).sorted()
            let should = editor.graph.others(of: number, relation, index).filter {
                !editor.deleting.contains($0)
            }
            let all = editor.graph.others(of: number, relation, index)
            expect(
                shown == should || shown == all,
                "\(number).\(side.name) is \(shown), not \(should) after a change")
        }
    }

    private func delete(_ editor: Editor, _ number: Int) throws {
        let model = try model(editor, number)
        if editor.graph.nodes[number]?.kind == .club,
            !editor.graph.others(of: number, Relation.denying, 1).isEmpty
        {
            return
        }
        note("\(editor.name) deletes \(editor.node(number))")
        editor.context.delete(model)
        if editor.outside.contains(number) { return }
        editor.deleting.insert(number)
        expect(model.isDeleted, "\(number) isn't deleted")
    }
}
