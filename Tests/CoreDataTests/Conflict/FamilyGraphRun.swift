// Random edits and saves of contexts below each other, beside one that has the same store.

@testable import CoreData
import CoreDataTestSupport
import Foundation

/// A run of a root, two children and a grandchild, and of a root beside them.
final class FamilyGraphRun: RivalGraphRun {
    init(seed: UInt64, skipping skipped: Set<Int> = []) throws {
        try super.init(seed: seed, skipping: skipped, besides: false)
        let root = editors[0]
        let rival = editors[1]
        let (child, sibling) = (GraphEditor("A1", below: root), GraphEditor("A2", below: root))
        editors = [root, child, sibling, GraphEditor("A11", below: child)] + (seed % 3 == 0 ? [rival] : [])
    }

    override func edit(_ editor: GraphEditor) throws {
        switch pick(12) {
        case 0:
            note("\(editor.name) refreshes all")
            refreshFromRoot(editor)
            try checkAgreement(editor, "after a refresh")
        case 1 where pick(2) == 0:
            note("\(editor.name) gets permanent IDs")
            try editor.context.obtainPermanentIDs(for: editor.present)
        case 2 where pick(4) == 0:
            note("\(editor.name) rolls back")
            editor.context.rollback()
            refreshFromRoot(editor)
            try checkAgreement(editor, "after a rollback")
        case 3: try look(editor)
        default: try super.edit(editor)
        }
    }

    /// Has a context read everything anew after those that it reads from.
    private func refreshFromRoot(_ editor: GraphEditor) {
        for context in line(editor.context) { context.refreshAllObjects() }
    }

    /// A context with those that it reads from, from the root on.
    private func line(_ context: NSManagedObjectContext) -> [NSManagedObjectContext] {
        (context.parent.map(line) ?? []) + [context]
    }

    /// A context that was read anew agrees with itself, and without changes with what is below it.
    private func checkAgreement(_ editor: GraphEditor, _ moment: String) throws {
        let context = editor.context
        // A row that the rival deleted, and that was changed here, is to be settled by a save.
        if seed % 3 == 0 { return }
        try checkAgreement(of: context, "\(editor.name) \(moment)")
        if context.hasChanges { return }
        for difference in try differences(context.graphState(), below(context).graphState()) {
            fault("\(editor.name) \(moment) | below: \(difference)")
        }
    }

    /// A context agrees with itself but for objects that it knows as deleted, or doesn't know to be.
    private func checkAgreement(of context: NSManagedObjectContext, _ moment: String) throws {
        let (all, below) = try (context.graphState(), below(context).graphState())
        let line = line(context)
        let lost = try line.reduce(into: Set<String>()) { $0.formUnion(try self.lost(in: $1)) }
        let shown = all.filter { !lost.contains($0.key) }
        let deleted = Set(line.flatMap(\.deletedObjects).map(\.graphName))
        let led = shown.values.flatMap { $0.values }.flatMap { value in
            value.split(separator: Character(" ")).map { String($0) }
        }
        let gone = Set(led.filter { $0.contains("/") && below[$0] == nil && shown[$0] == nil }).union(lost)
        let isUnsaved = line.contains(where: \.hasChanges)
        for problem in model.contradictions(in: shown, gone: isUnsaved ? gone : [], deleted: deleted) {
            fault("\(moment): \(problem)")
        }
    }

    /// The changed objects of a context that are gone for the one that it reads from: a save of them fails, or writes them anew.
    private func lost(in context: NSManagedObjectContext) throws -> Set<String> {
        let (all, below) = try (context.graphState(), below(context).graphState())
        return Set(all.keys).subtracting(below.keys).subtracting(context.insertedObjects.map(\.graphName))
    }

    /// A context that knows nothing yet, beside another.
    private func below(_ context: NSManagedObjectContext) -> NSManagedObjectContext {
        let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        if let parent = context.parent {
            fresh.parent = parent
        } else {
            fresh.persistentStoreCoordinator = coordinators.last
        }
        return fresh
    }

    override func check(_ editor: GraphEditor, _ changed: [NSManagedObject]) throws {
        guard let parent = editor.context.parent else {
            try super.check(editor, changed)
            return
        }
        if editor.context.hasChanges { fault("\(editor.name) has changes after its save") }
        // Others may be older than their children.
        if parent === editors[0].context, seed % 3 > 0 {
            try checkAgreement(of: parent, "the parent of \(editor.name) after its save")
        }
        editor.held.removeAll { $0.isDeleted || $0.managedObjectContext == nil }
        guard pick(2) == 0 else { return }
        note("\(editor.name) refreshes")
        refreshFromRoot(editor)
        try checkAgreement(editor, "after its save")
        try look(editor)
    }
}

extension GraphEditor {
    fileprivate convenience init(_ name: String, below parent: GraphEditor) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.parent = parent.context
        self.init(name, context)
    }
}
