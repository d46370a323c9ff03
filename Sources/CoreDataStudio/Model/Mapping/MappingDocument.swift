// A mapping model that is open for editing. One for all who look at it.

import CoreDataFiles
package import CoreDataSchema
package import Foundation
import Synchronization

package final class MappingDocument: Sendable {
    fileprivate struct State: DraftSteps {
        var draft: MappingDraft
        /// Nil while there is no file.
        var saved: MappingDraft?
        var text: Data?
        var undo: [DraftStep<MappingDraft>] = []
        var redo: [DraftStep<MappingDraft>] = []
        var change = 0
    }

    package let url: URL
    /// The reason why it can't be edited; nil if it can.
    package let obstacle: String?
    private let state: Mutex<State>

    /// Opens a file. Throws `ModelFileError`.
    package init(contentsOf url: URL, isReadOnly: Bool = false) throws {
        self.url = url
        let draft = try MappingDraft(contentsOf: url)
        obstacle =
            if draft.source == nil {
                "A compiled mapping model can't be edited: open the .xcmappingmodel that it was made of."
            } else {
                isReadOnly ? "The studio is read-only." : nil
            }
        state = Mutex(State(draft: draft, saved: draft, text: Self.text(of: url)))
    }

    /// A new mapping model, whose file is written when it is saved.
    package init(_ draft: MappingDraft, at url: URL) {
        self.url = url
        obstacle = nil
        state = Mutex(State(draft: draft, saved: nil))
    }

    private static func text(of url: URL) -> Data? {
        try? Data(contentsOf: url.pathExtension == "cdm" ? url : MappingFile.contents(of: url))
    }

    package var draft: MappingDraft { state.withLock { $0.draft } }
    package var change: Int { state.withLock { $0.change } }
    package var isNew: Bool { state.withLock { $0.saved == nil } }
    package var hasUnsavedEdits: Bool { state.withLock { $0.saved != $0.draft } }
    package var undoLabel: String? { state.withLock { $0.undo.last?.label } }
    package var redoLabel: String? { state.withLock { $0.redo.last?.label } }

    // MARK: Editing

    /// Carries out edits as one step. Throws `ModelEditFailure` and changes nothing then.
    ///
    /// - Parameter change: the number that who edits has seen; places in lists may be others by now.
    package func edit(_ commands: [MappingCommand], seen change: Int) throws {
        try requireEditable()
        try state.withLock { state in
            guard state.change == change else {
                throw ModelEditFailure("Somebody else changed the mapping model just now: look again.")
            }
            let label = commands.count == 1 ? state.draft.label(commands[0]) : "\(commands.count) edits"
            var draft = state.draft
            for command in commands { try draft.apply(command) }
            if draft != state.draft { state.replace(with: draft, label: label) }
        }
    }

    /// Returns the mapping model as it would be after edits that aren't made.
    package func edited(_ commands: [MappingCommand]) throws -> MappingDraft {
        var draft = draft
        for command in commands { try draft.apply(command) }
        return draft
    }

    /// Takes other states of the two models, which edits of the model have made.
    package func take(
        source: ModelSchema, destination: ModelSchema, paths: (source: String?, destination: String?)
    ) throws {
        try requireEditable()
        state.withLock { state in
            var draft = state.draft
            (draft.source, draft.destination) = (source, destination)
            (draft.sourcePath, draft.destinationPath) = paths
            for place in draft.mapping.entityMappings.indices { draft.fill(place) }
            if draft != state.draft { state.replace(with: draft, label: "other versions") }
        }
    }

    package func undo() throws {
        try requireEditable()
        state.withLock { $0.step(from: \.undo, to: \.redo) }
    }

    package func redo() throws {
        try requireEditable()
        state.withLock { $0.step(from: \.redo, to: \.undo) }
    }

    private func requireEditable() throws {
        if let obstacle { throw ModelEditFailure(obstacle) }
    }

    // MARK: Files

    package var isChangedOnDisk: Bool {
        let text = Self.text(of: url)
        return state.withLock { $0.text != text }
    }

    /// Writes the file. Throws a `ModelConflict` if another program changed it, unless that is to be
    /// overwritten.
    package func save(overwriting: Bool = false) throws {
        try requireEditable()
        if !overwriting, isChangedOnDisk { throw ModelConflict(files: [url.path]) }
        try state.withLock { state in
            let parts = try state.draft.written()
            let paths = (source: state.draft.sourcePath, destination: state.draft.destinationPath)
            try MappingFile.write(
                parts.mapping, from: parts.source, to: parts.destination, at: url, paths: paths)
            state.draft.mapping = parts.mapping
            state.saved = state.draft
            state.text = Self.text(of: url)
            state.change += 1
        }
    }

    /// Reads the file again and forgets edits that aren't saved. Throws `ModelFileError`.
    package func reload() throws {
        let fresh = try MappingDraft(contentsOf: url)
        let text = Self.text(of: url)
        state.withLock { state in
            state = State(draft: fresh, saved: fresh, text: text, change: state.change + 1)
        }
    }
}
