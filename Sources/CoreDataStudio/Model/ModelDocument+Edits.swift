// Editing, undoing, saving.

import CoreDataFiles
import Foundation
import Synchronization

/// A document can't be saved as it is; the person has to decide.
package struct ModelConflict: Error, Sendable, Hashable {
    /// The files that another program changed.
    package let files: [String]
}

extension ModelDocument {
    /// Counts edits, undos, redos and saves: who has seen this number has seen everything.
    package var change: Int { state.withLock { $0.change } }

    /// Returns once the number is another one than `change`, when the time is over, or when the studio ends.
    package func wait(after change: Int, for limit: Duration, in studio: StudioContext? = nil) async throws {
        let end = ContinuousClock.now + limit
        while self.change == change, ContinuousClock.now < end, studio?.isEnding != true {
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    package var hasUnsavedEdits: Bool { state.withLock { $0.draft != $0.saved } }

    /// The labels of the steps that undo and redo would take.
    package var undoLabel: String? { state.withLock { $0.undo.last?.label } }
    package var redoLabel: String? { state.withLock { $0.redo.last?.label } }

    /// The versions that differ from what is saved.
    package var unsavedVersions: [String] { state.withLock { $0.unsavedVersions } }

    /// The versions whose formatting isn't Xcode's, so that saving edits formats them anew.
    package var reformattedVersions: Set<String> { state.withLock { $0.foreign } }

    /// Edits a version, all commands as one step. Throws `ModelEditFailure` and changes nothing then.
    ///
    /// - Returns: the numbers of new elements.
    @discardableResult
    package func edit(_ version: String, commands: [ModelCommand]) throws -> [Int] {
        try requireEditable()
        defer { keepEdits() }
        return try state.withLock { state in
            guard let root = state.draft[version: version] else { throw Self.noVersion(version) }
            var editor = ModelEditor(root, numbers: state.numbers)
            for command in commands {
                try editor.apply(state.draft.decided(command, version: version, root: editor.root))
            }
            state.numbers = editor.numbers
            guard editor.root != root else { return [] }
            var draft = state.draft
            draft[version: version] = editor.root
            state.replace(with: draft, label: commands.count == 1 ? editor.label : "\(commands.count) edits")
            return editor.made
        }
    }

    /// Returns a version as it would be after edits that aren't made.
    package func edited(_ version: String, commands: [ModelCommand]) throws -> ModelNode {
        try state.withLock { state in
            guard let root = state.draft[version: version] else { throw Self.noVersion(version) }
            var editor = ModelEditor(root, numbers: state.numbers)
            for command in commands {
                try editor.apply(state.draft.decided(command, version: version, root: editor.root))
            }
            return editor.root
        }
    }

    /// Adds a version that begins as a copy of another one.
    package func addVersion(_ name: String, basedOn base: String) throws {
        try requireEditable()
        defer { keepEdits() }
        guard isVersioned else {
            throw ModelEditFailure("A single .xcdatamodel has no versions; they need an .xcdatamodeld.")
        }
        guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), !name.hasPrefix("."),
            name.utf8.count <= 200
        else { throw ModelEditFailure("\"\(name)\" is no name for a version.") }
        try state.withLock { state in
            guard let root = state.draft[version: base] else { throw Self.noVersion(base) }
            let names = state.draft.versions.map(\.name) + state.unreadable.keys
            guard !names.contains(where: { $0.lowercased() == name.lowercased() }) else {
                throw ModelEditFailure("There is a version \"\(name)\" already.")
            }
            var draft = state.draft
            draft.versions.append(.init(name: name, root: root.renumbered(&state.numbers)))
            draft.versions.sort { $0.name < $1.name }
            state.replace(with: draft, label: "version \(name)")
        }
    }

    package func setCurrent(_ name: String) throws {
        try requireEditable()
        defer { keepEdits() }
        try state.withLock { state in
            guard state.draft[version: name] != nil else { throw Self.noVersion(name) }
            var draft = state.draft
            draft.current = name
            if draft != state.draft { state.replace(with: draft, label: "current version \(name)") }
        }
    }

    package func undo() throws {
        try requireEditable()
        defer { keepEdits() }
        state.withLock { $0.step(from: \.undo, to: \.redo) }
    }

    package func redo() throws {
        try requireEditable()
        defer { keepEdits() }
        state.withLock { $0.step(from: \.redo, to: \.undo) }
    }

    private func requireEditable() throws {
        if let obstacle { throw ModelEditFailure(obstacle) }
        if leftover != nil {
            throw ModelEditFailure("First decide about the unsaved changes that are left from before.")
        }
    }

    static func noVersion(_ name: String) -> ModelEditFailure {
        ModelEditFailure("There is no version \"\(name)\".")
    }

    // MARK: Files

    /// The files that aren't any more what was read or written last.
    package func filesChangedOnDisk() -> [String] {
        guard obstacle == nil else { return [] }
        let files = ModelFiles(url)
        return state.withLock { state in
            var changed = state.texts.keys.sorted().filter {
                (try? files.read($0)) != state.texts[$0]
            }.map { files.contents(of: $0).path }
            let known = Set(state.texts.keys).union(state.unreadable.keys)
            changed += ((try? files.versionNames()) ?? []).filter { !known.contains($0) }.map {
                files.folder(of: $0).path
            }
            if isVersioned, (try? Data(contentsOf: files.currentFile)) != state.currentText {
                changed.append(files.currentFile.path)
            }
            return changed
        }
    }

    /// Writes what was edited. Throws a `ModelConflict` if another program changed a file, unless that is to
    /// be overwritten.
    package func save(overwriting: Bool = false) throws {
        try requireEditable()
        defer { keepEdits() }
        let changed = overwriting ? [] : filesChangedOnDisk()
        guard changed.isEmpty else { throw ModelConflict(files: changed) }
        let files = ModelFiles(url)
        try state.withLock { state in
            for version in state.draft.versions where state.saved[version: version.name] != version.root {
                try ModelFileError.locating(files.contents(of: version.name).path) {
                    let data = try ModelText.bytes(of: version.root, like: state.texts[version.name])
                    try files.write(data, as: version.name)
                    state.texts[version.name] = data
                    state.foreign.remove(version.name)
                }
            }
            if isVersioned, let current = state.draft.current, current != state.saved.current {
                let data = ModelFiles.currentText(current)
                try data.write(to: files.currentFile, options: .atomic)
                state.currentText = data
            }
            for gone in state.saved.versions.map(\.name) where state.draft[version: gone] == nil {
                try FileManager.default.removeItem(at: files.folder(of: gone))
                state.texts[gone] = nil
            }
            state.saved = state.draft
            state.restored = nil
            state.change += 1
        }
    }

    /// Reads the files again and forgets edits that aren't saved.
    package func reload() throws {
        guard obstacle == nil else { return }
        let fresh = try Self.state(of: ModelFiles(url), state.withLock { $0.numbers })
        defer { keepEdits() }
        state.withLock { state in
            let (change, leftover) = (state.change + 1, state.leftover)
            state = fresh
            (state.change, state.leftover) = (change, leftover)
        }
    }
}

extension ModelDocument.State {
    var unsavedVersions: [String] {
        draft.versions.filter { saved[version: $0.name] != $0.root }.map(\.name)
    }
}
