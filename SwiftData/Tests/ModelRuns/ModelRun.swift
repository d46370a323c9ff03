// Random edits of contexts of one container, beside what should come of them.

import Foundation
import SwiftData

/// A run in which one context at a time edits, so that all that it shows and saves is known.
final class ModelRun: Run {
    let container: ModelContainer
    var editors: [Editor] = []
    /// What the store should have.
    var saved = Sketch()
    var token: DefaultHistoryToken?
    /// The identifiers of what the store has, by numbers, and the badges by identifiers.
    var identifiers: [Int: PersistentIdentifier] = [:]
    var badges: [PersistentIdentifier: String] = [:]
    /// The number of the condition that is being compared.
    var query = 0
    /// What the model that is being made was related to by its initialiser.
    var related: [(relation: Int, side: Int, other: Int)] = []

    static let schema = Schema([
        Person.self, Teacher.self, Pet.self, Club.self, Tag.self, Passport.self,
    ])

    init(seed: UInt64, skipping skipped: Set<Int> = [], configuration: ModelConfiguration) throws {
        container = try ModelContainer(for: Self.schema, configurations: configuration)
        super.init(seed: seed, skipping: skipped)
        for number in 0..<(seed % 3 == 0 ? 1 : 2) {
            editors.append(Editor(["A", "B"][number], container))
        }
        if seed % 4 == 1 {
            for editor in editors { editor.context.undoManager = UndoManager() }
        }
    }

    override func run(rounds: Int) throws {
        var editor = editors[0]
        for _ in 0..<rounds where faults.isEmpty {
            try take {
                let next = editors[random.pick(editors.count)]
                if next !== editor, random.pick(3) == 0 {
                    if editor.hasUnsaved || editor.context.hasChanges {
                        if random.pick(3) == 0 { rollback(editor) } else { try save(editor) }
                    }
                    editor = next
                    editor.takeOver(saved)
                }
                for _ in 0..<(1 + random.pick(5)) where faults.isEmpty { try edit(editor) }
                if faults.isEmpty { try conclude(editor) }
            }
        }
        try take {
            if faults.isEmpty { try save(editor) }
            if faults.isEmpty { try check(editor) }
        }
    }

    /// What ends a round.
    private func conclude(_ editor: Editor) throws {
        switch random.pick(14) {
        case 0, 1, 2, 3: try save(editor)
        case 4: rollback(editor)
        case 5: try undo(editor)
        case 6: try deny(editor)
        case 7: try upsert(editor)
        case 8: try end(editor)
        case 9: try transact(editor)
        case 11: try deleteMany(editor)
        default: break
        }
        if faults.isEmpty, random.pick(2) == 0 { try check(editor) }
        for number in editor.held.keys.sorted() where random.pick(4) == 0 {
            if !editor.outside.contains(number) { editor.held[number] = nil }
        }
        if random.pick(3) == 0 { editor.gone = [] }
    }
}
