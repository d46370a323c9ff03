// A model file that is open for editing. One for all who look at it: edits are seen by every session, and
// stay when a page is reloaded.

import CoreDataFiles
package import CoreDataSchema
import CoreDataSupport
package import Foundation
import Synchronization

/// An opened model: `.xcdatamodeld` and `.xcdatamodel` in XML can be edited, everything else only looked at.
package final class ModelDocument: Sendable {
    struct State: Sendable, DraftSteps {
        var draft: ModelDraft
        var saved: ModelDraft
        /// The files as they were read or written last, by version.
        var texts: [String: Data] = [:]
        var currentText: Data?
        var foreign: Set<String> = []
        /// The reasons why versions can't be read, by name. They are neither shown nor written.
        var unreadable: [String: String] = [:]
        var numbers = ModelNumbers()
        var undo: [DraftStep<ModelDraft>] = []
        var redo: [DraftStep<ModelDraft>] = []
        var change = 0
        /// When the unsaved edits were made that an earlier run of the studio left.
        var restored: Date?
        /// Such edits, of a file that has changed since: the person decides.
        var leftover: KeptEdits?
        /// The reason why edits aren't kept on disk, if they should be.
        var keepingProblem: String?
    }

    package let url: URL
    /// The reason why the model can't be edited; nil if it can.
    package let obstacle: String?
    /// The identity of this opening of the file: numbers of elements and changes mean others after the next.
    package let opening = UUID().uuidString
    let state: Mutex<State>
    let kept: KeptEditsFolder?
    /// Held while edits are kept, so that earlier ones never end up on top of later ones.
    let keeping = Mutex(())

    /// Opens a model file of any kind. Throws `ModelFileError`.
    ///
    /// - Parameter kept: where edits are kept that aren't saved; nil for nowhere. Those of an earlier run are there
    ///   again.
    package init(contentsOf url: URL, isReadOnly: Bool = false, keepingEditsIn kept: KeptEditsFolder? = nil)
        throws
    {
        self.url = url
        self.kept = isReadOnly ? nil : kept
        let files = ModelFiles(url)
        if !files.isXML {
            obstacle = files.obstacle
            state = try Mutex(Self.state(of: ModelFile.versions(of: url)))
        } else {
            obstacle = isReadOnly ? "The studio is read-only." : nil
            state = try Mutex(Self.state(of: files))
        }
        takeLeftover()
    }

    /// A model that is in no file, to look at.
    package init(_ schema: ModelSchema, name: String, obstacle: String) throws {
        url = URL(fileURLWithPath: "/" + name)
        self.obstacle = obstacle
        kept = nil
        state = try Mutex(Self.state(of: [ModelVersion(name: name, schema: schema, isCurrent: true)]))
    }

    package var isReadOnly: Bool { obstacle != nil }

    package var name: String { url.deletingPathExtension().lastPathComponent }

    /// Indicates whether there can be several versions.
    package var isVersioned: Bool { url.pathExtension == "xcdatamodeld" }

    /// The reasons why versions can't be read, by name. Their files are left as they are.
    package var unreadableVersions: [String: String] { state.withLock { $0.unreadable } }

    package var draft: ModelDraft { state.withLock { $0.draft } }

    // MARK: Opening

    /// Goes on counting from `numbers`, so that a number never means another element later.
    static func state(of files: ModelFiles, _ numbers: ModelNumbers = .init()) throws -> State {
        var numbers = numbers
        var versions: [ModelDraft.Version] = []
        var state = State(draft: .init(versions: []), saved: .init(versions: []))
        var failure: ModelFileError?
        for name in try files.versionNames() {
            do {
                try ModelFileError.locating(files.contents(of: name).path) {
                    let text = try ModelText(files.read(name), numbers: &numbers)
                    versions.append(.init(name: name, root: text.root))
                    state.texts[name] = text.data
                    if !text.isReproducible { state.foreign.insert(name) }
                }
            } catch let error as ModelFileError {
                failure = failure ?? error
                state.unreadable[name] = error.reason
            }
        }
        if versions.isEmpty, let failure { throw failure }
        state.currentText = try? Data(contentsOf: files.currentFile)
        state.draft = ModelDraft(versions: versions, current: try? files.currentName())
        state.saved = state.draft
        state.numbers = numbers
        return state
    }

    static func state(of versions: [ModelVersion]) throws -> State {
        var numbers = ModelNumbers()
        let shown = try versions.map { version in
            let data = try ModelSourceWriter.data(for: SourceSubset(version.schema).model)
            return ModelDraft.Version(
                name: version.name, root: ModelNode(try XMLTreeReader.read(data), numbers: &numbers))
        }
        let draft = ModelDraft(versions: shown, current: versions.first(where: \.isCurrent)?.name)
        return State(draft: draft, saved: draft, numbers: numbers)
    }
}
