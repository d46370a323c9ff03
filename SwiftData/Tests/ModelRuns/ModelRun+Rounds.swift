// What a run does with a context at the end of a round.

import Foundation
import SwiftData

extension ModelRun {
    /// An error of a closure that gives up.
    private struct GivenUp: Error {}

    func save(_ editor: Editor) throws {
        note("\(editor.name) saves")
        editor.settle()
        let (inside, base) = (editor.inside, editor.base)
        expect(inside == base || editor.context.hasChanges, "the context has no changes before a save")
        let oldIDs = identifiers(Set(base.numbers).subtracting(inside.numbers))
        nonisolated(unsafe) var told: [String: Set<PersistentIdentifier>]?
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: editor.context, queue: nil
        ) { note in
            told = [:]
            for (key, value) in note.userInfo ?? [:] {
                if let key = key as? String, let ids = value as? [PersistentIdentifier] {
                    told?[key] = Set(ids)
                }
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        do { try editor.context.save() } catch { return fault("the save failed: \(error)") }
        expect(!editor.context.hasChanges, "the context has changes after a save")
        editor.noteSave()
        saved = editor.base
        try checkSave(editor, from: base, told, oldIDs)
        if random.pick(3) == 0 { try checkStore() }
    }

    func rollback(_ editor: Editor) {
        note("\(editor.name) rolls back")
        editor.settle()
        editor.context.rollback()
        expect(!editor.context.hasChanges, "the context has changes after a rollback")
        editor.noteRollback()
    }

    func undo(_ editor: Editor) throws {
        guard let manager = editor.context.undoManager else { return }
        editor.settle()
        for _ in 0..<(1 + random.pick(4)) {
            let loose = editor.graph.filter { editor.outside.contains($0) }
            if random.pick(3) > 0, let step = editor.undoable.popLast() {
                note("\(editor.name) undoes")
                manager.undo()
                editor.graph = step.before.joined(loose)
                editor.redoable.append(step)
            } else if let step = editor.redoable.popLast() {
                note("\(editor.name) redoes")
                manager.redo()
                editor.graph = step.after.joined(loose)
                editor.undoable.append(step)
            }
            editor.context.processPendingChanges()
            for (number, model) in editor.held where !editor.outside.contains(number) {
                if model.modelContext == nil || model.isDeleted { editor.held[number] = nil }
            }
            editor.ids = [:]
            editor.gone = []
            try check(editor)
            if !faults.isEmpty { return }
        }
    }

    /// Deletes what a delete rule keeps.
    func deny(_ editor: Editor) throws {
        try save(editor)
        let clubs = saved.numbers.filter {
            saved.nodes[$0]?.kind == .club && !saved.others(of: $0, Relation.denying, 1).isEmpty
        }
        guard !clubs.isEmpty, faults.isEmpty, editor.context.undoManager == nil else { return }
        let club = random.pick(of: clubs)
        note("\(editor.name) deletes \(editor.node(club)), which has members")
        editor.context.delete(try model(editor, club))
        do {
            try editor.context.save()
            return fault("the save deletes \(club), which has members")
        } catch let error as NSError {
            expect(error.code == 1600, "the save fails with \(error)")
        }
        if random.pick(2) == 0 { return rollback(editor) }
        for member in saved.others(of: club, Relation.denying, 1) {
            (try model(editor, member) as? Person)?.club = nil
        }
        editor.graph.set(club, Relation.denying, 1, [])
        editor.deleting.insert(club)
        try save(editor)
    }

    /// Inserts a model with the unique values of another. What it is related to after the save is taken for what it should be.
    func upsert(_ editor: Editor) throws {
        try save(editor)
        let all = saved.numbers.filter { [.club, .tag].contains(saved.nodes[$0]?.kind) }
        guard !all.isEmpty, faults.isEmpty, editor.context.undoManager == nil else { return }
        let old = random.pick(of: all)
        guard let node = saved.nodes[old] else { return }
        made += 1
        let number = made
        let id = try model(editor, old).persistentModelID
        var new = Node(kind: node.kind, traits: [:])
        let model: any Knot =
            node.kind == .club
            ? Club(number: number, title: node.traits["title"]?.base as? String ?? "")
            : Tag(
                number: number, label: node.traits["label"]?.base as? String ?? "",
                colour: node.traits["colour"]?.base as? Int ?? 0)
        for trait in Trait.of(node.kind) {
            if ["seats", "note"].contains(trait.name), random.pick(2) == 0 {
                trait.set(model, trait.make(&random))
            }
            new.traits[trait.name] = trait.get(model)
        }
        note("\(editor.name) inserts \(number) with the unique values of \(old)")
        editor.context.insert(model)
        if let person = editor.numbers(.person).first(where: { !editor.outside.contains($0) }),
            random.pick(2) == 0
        {
            note("  and relates it to \(person)")
            if let person = try self.model(editor, person) as? Person {
                if let club = model as? Club {
                    person.club = club
                } else if let tag = model as? Tag {
                    tag.people.append(person)
                }
            }
        }
        do { try editor.context.save() } catch { return fault("the save failed: \(error)") }
        expect(model.persistentModelID == id, "\(number) has another identifier than \(old)")
        expect(model.modelContext === editor.context, "\(number) isn't in the context")
        editor.held[old] = nil
        editor.ids[old] = nil
        editor.graph.remove([old])
        editor.held[number] = model
        editor.twins.insert(number)
        try learn(editor, [number: new])
        editor.noteSave()
        saved = editor.base
        try noteHistory(editor)
        try checkStore()
    }

    /// Ends the context, which saves if it saves by itself.
    func end(_ editor: Editor) throws {
        guard editor.context.undoManager == nil else { return }
        editor.settle()
        let saves = random.pick(2) == 0
        note("\(editor.name)'s context ends\(saves ? " and saves" : "")")
        editor.context.autosaveEnabled = saves
        if saves { saved = editor.inside }
        let (kept, inside) = (editor.held.filter { !editor.outside.contains($0.key) }, editor.inside)
        weak let ended = editor.context
        let fresh = Editor(editor.name, container)
        editor.context = fresh.context
        expect(ended == nil, "the context doesn't end")
        for (number, model) in kept {
            guard let node = inside.nodes[number] else { continue }
            expect(model.modelContext == nil, "\(number) has a context that ended")
            compare(model, number, node)
        }
        editor.held = editor.held.filter { editor.outside.contains($0.key) }
        (editor.ids, editor.gone, editor.twins) = ([:], [], [])
        editor.graph = saved.joined(editor.graph.filter { editor.outside.contains($0) })
        editor.base = saved
        try noteHistory(editor)
        try check(editor)
    }

    func transact(_ editor: Editor) throws {
        guard editor.context.undoManager == nil else { return }
        let fails = random.pick(2) == 0
        note("\(editor.name) begins a transaction")
        do {
            try editor.context.transaction {
                for _ in 0..<(1 + random.pick(4)) { try edit(editor) }
                editor.settle()
                if fails { throw GivenUp() }
            }
            expect(!fails, "a transaction that gives up succeeds")
            editor.noteSave()
            saved = editor.base
            try noteHistory(editor)
        } catch is GivenUp {
            editor.noteRollback()
        } catch {
            fault("a transaction fails: \(error)")
        }
        note("\(editor.name) ends the transaction\(fails ? ", which fails" : "")")
        try check(editor)
    }

    func deleteMany(_ editor: Editor) throws {
        guard editor.context.undoManager == nil else { return }
        editor.settle()
        let limit = random.pick(12)
        func numbers(_ kind: Kind, _ isIncluded: (Node) -> Bool) -> [Int] {
            editor.inside.numbers.filter {
                editor.inside.nodes[$0].map { $0.kind.isA(kind) && isIncluded($0) } == true
            }
        }
        switch random.pick(3) {
        case 0:
            let bound = Float(limit)
            try editor.context.delete(model: Pet.self, where: #Predicate { $0.weight > bound })
            editor.deleting.formUnion(numbers(.pet) { ($0.traits["weight"]?.base as? Float ?? 0) > bound })
        case 1:
            let hours = Int16(limit * 3)
            try editor.context.delete(model: Teacher.self, where: #Predicate { $0.hours >= hours })
            editor.deleting.formUnion(
                numbers(.teacher) { ($0.traits["hours"]?.base as? Int16 ?? 0) >= hours })
        default:
            try editor.context.delete(
                model: Person.self, where: #Predicate { $0.score > 22 }, includeSubclasses: false)
            editor.deleting.formUnion(
                numbers(.person) { $0.kind == .person && ($0.traits["score"]?.base as? Double ?? 0) > 22 })
        }
        note("\(editor.name) deletes by a condition \(editor.deleting.sorted())")
    }
}
