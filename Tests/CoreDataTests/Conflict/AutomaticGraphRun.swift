// Random edits and saves of contexts that merge automatically, on queues of their own, while the others go on.

@testable import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization

/// A run of roots, and with every other seed of a child, whose merges come whenever their queues get to them. The steps follow the
/// seed; the moments of merges, and of saves that nobody waits for, are the queues'.
final class AutomaticGraphRun: RivalGraphRun {
    /// What saves that nobody waited for came to.
    private let outcomes = Mutex<[(line: String, isFault: Bool)]>([])
    private var isSettled = false

    init(seed: UInt64, skipping skipped: Set<Int> = []) throws {
        try super.init(seed: seed, skipping: skipped, besides: false)
        if seed % 2 == 0 {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = editors[0].context
            editors.append(GraphEditor("A1", child))
        }
        for editor in editors { editor.context.automaticallyMergesChangesFromParent = true }
    }

    // MARK: Steps

    override func run(steps: Int) throws {
        try super.run(steps: steps)
        if faults.isEmpty { try checkAll() } else { settle() }
    }

    override func insert(_ editor: GraphEditor) {
        editor.context.performAndWait { super.insert(editor) }
    }

    override func look(_ editor: GraphEditor) throws {
        try editor.context.performAndWait { try super.look(editor) }
    }

    override func edit(_ editor: GraphEditor) throws {
        switch pick(16) {
        case 0: try checkAll()
        case 1:
            note("\(editor.name) refreshes all")
            editor.context.performAndWait { editor.context.refreshAllObjects() }
        case 2 where pick(3) == 0:
            note("\(editor.name) rolls back")
            editor.context.performAndWait { editor.context.rollback() }
        case 3: try look(editor)
        default: try editor.context.performAndWait { try super.edit(editor) }
        }
    }

    override func save(_ editor: GraphEditor) throws {
        if pick(2) == 0 { return saveWithoutWaiting(editor) }
        settle()
        isSettled = true
        defer { isSettled = false }
        try editor.context.performAndWait { try super.save(editor) }
        if pick(2) == 0 { try checkAll() }
    }

    /// Has a context save while others go on.
    private func saveWithoutWaiting(_ editor: GraphEditor) {
        guard let (name, policy) = pick(of: Self.policies) else { return }
        note("\(editor.name) begins to save by \(name)")
        let context = editor.context
        let editorName = editor.name
        context.perform { [self] in
            context.mergePolicy = policy
            do {
                try context.save()
                outcomes.withLock { $0.append(("\(editorName) has saved", false)) }
            } catch let error as NSError {
                context.rollback()
                let isExpected = [133020, 133021, 1600, 1560].contains(error.code)
                outcomes.withLock { $0.append(("\(editorName) has failed: \(error.code)", !isExpected)) }
            }
        }
    }

    override func failed(_ editor: GraphEditor, _ error: NSError) {
        if isSettled, error.code == 133020, editor.context.parent == nil {
            fault("\(editor.name) has a conflict with what it merged")
        }
    }

    // MARK: Checks

    /// Waits until saves are done, and what they announced is merged: by contexts beside them, and by those below.
    private func settle() {
        for _ in 0..<3 {
            for editor in editors { editor.context.performAndWait {} }
        }
        let lines = outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
        for (line, isFault) in lines { if isFault { fault(line) } else { note(line) } }
    }

    /// Every context shows what is stored and its own changes.
    private func checkAll() throws {
        note("all settle")
        settle()
        let stored = try checkedStore()
        for editor in editors {
            try editor.context.performAndWait { try check(editor, stored) }
        }
    }

    private func check(_ editor: GraphEditor, _ stored: GraphState) throws {
        let context = editor.context
        let own = OwnChanges(context, model)
        if let parent = context.parent {
            // It isn't told of what its parent hasn't saved, or has taken back.
            context.refreshAllObjects()
            if context.hasChanges { return }
            let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            fresh.parent = parent
            for difference in try differences(context.graphState(), fresh.graphState()) {
                fault("\(editor.name) settled | its parent: \(difference)")
            }
            return
        }
        for problem in try own.problems(shown: context.graphState(), stored: stored, in: context) {
            fault("\(editor.name) settled: \(problem)")
        }
    }

    override func check(_ editor: GraphEditor, _ changed: [NSManagedObject]) throws {
        if editor.context.parent == nil {
            try super.check(editor, changed)
        } else {
            if editor.context.hasChanges { fault("\(editor.name) has changes after its save") }
            editor.held.removeAll { $0.isDeleted || $0.managedObjectContext == nil }
        }
    }
}
