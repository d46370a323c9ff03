// A context that edits, and what it should have.

import Foundation
import SwiftData

final class Editor {
    let name: String
    var context: ModelContext
    /// All that is there: what the context has, and models of no context.
    var graph = Sketch()
    /// What the store has, as far as the context knows.
    var base = Sketch()
    /// The models of no context.
    var outside: Set<Int> = []
    /// Deleted models to which the delete rules weren't applied yet.
    var deleting: Set<Int> = []
    var held: [Int: any Knot] = [:]
    var ids: [Int: PersistentIdentifier] = [:]
    /// Models that were deleted, or dropped by a rollback, with what they were.
    var gone: [(model: any Knot, node: Node)] = []
    /// Models that stand for a row that has another model.
    var twins: Set<Int> = []
    var undoable: [(before: Sketch, after: Sketch)] = []
    var redoable: [(before: Sketch, after: Sketch)] = []

    init(_ name: String, _ container: ModelContainer) {
        self.name = name
        context = ModelContext(container)
    }

    var inside: Sketch { graph.filter { !outside.contains($0) } }

    var hasUnsaved: Bool { !deleting.isEmpty || inside != base }

    /// The numbers of models that can be changed.
    var present: [Int] {
        let gone = graph.withCascades(deleting)
        return graph.numbers.filter { !gone.contains($0) }
    }

    func numbers(_ kind: Kind) -> [Int] {
        present.filter { graph.nodes[$0].map { $0.kind.isA(kind) } == true }
    }

    /// Applies delete rules on both sides.
    func settle() {
        context.processPendingChanges()
        settleSketch()
    }

    func settleSketch() {
        let all = graph.withCascades(deleting)
        for number in all { leave(number) }
        graph.remove(all)
        deleting = []
    }

    /// Notes that a model is no longer there.
    private func leave(_ number: Int) {
        if let model = held.removeValue(forKey: number), let node = graph.nodes[number] {
            gone.append((model, node))
        }
        ids[number] = nil
        twins.remove(number)
    }

    /// What the context has is what the store has.
    func noteSave() {
        settleSketch()
        base = inside
        gone.removeAll { $0.model.modelContext != nil }
    }

    /// What wasn't saved is dropped.
    func noteRollback() {
        let loose = graph.filter { outside.contains($0) }
        deleting = []
        for number in graph.numbers where !outside.contains(number) && base.nodes[number] == nil {
            leave(number)
        }
        // Those that were deleted, which came back.
        for entry in gone where base.nodes[entry.model.number] != nil && held[entry.model.number] == nil {
            if entry.model.modelContext != nil { held[entry.model.number] = entry.model }
        }
        gone.removeAll { $0.model.modelContext != nil }
        graph = base.joined(loose)
        (undoable, redoable) = ([], [])
    }

    /// The store has something else by now, and the context has no unsaved changes.
    func takeOver(_ saved: Sketch) {
        let loose = graph.filter { outside.contains($0) }
        context.processPendingChanges()
        // The row of one may be another's by now.
        if twins.contains(where: { saved.nodes[$0] == nil }) {
            twins.formUnion(Set(saved.numbers).subtracting(base.numbers))
        }
        for number in base.numbers where saved.nodes[number] == nil { leave(number) }
        // Deleted elsewhere, and inserted again.
        for (number, model) in held where !outside.contains(number) && model.modelContext == nil {
            leave(number)
        }
        ids = [:]
        base = saved
        graph = saved.joined(loose)
        gone = []
        (undoable, redoable) = ([], [])
        context.undoManager?.removeAllActions()
    }

    /// Has models of no context that are related to one in the context be in it too.
    func joinRelated(_ number: Int) {
        let all = graph.reachable(number)
        if !all.isSubset(of: outside) { outside.subtract(all) }
    }

    func enter(_ number: Int) { outside.subtract(graph.reachable(number)) }

    func node(_ number: Int) -> String {
        graph.nodes[number].map { "\($0.kind) \(number)\(outside.contains(number) ? " (outside)" : "")" }
            ?? "nothing \(number)"
    }
}
