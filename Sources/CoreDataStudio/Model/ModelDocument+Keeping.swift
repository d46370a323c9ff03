// Edits that outlive the studio: kept after each edit, taken up when the model is opened again.

package import Foundation
import Synchronization

extension ModelDocument {
    /// The person's choice about edits that an earlier run left.
    package enum LeftoverChoice: String, Sendable, Decodable {
        /// Go on with them.
        case keep
        /// Put them in place of what the files say now.
        case restore
        case discard
    }

    /// When the unsaved edits were made that were taken up from an earlier run.
    package var restored: Date? { state.withLock { $0.restored } }

    /// Edits of an earlier run that don't fit the files any more.
    package var leftover: KeptEdits? { state.withLock { $0.leftover } }

    /// The reason why edits aren't kept on disk, if they should be.
    package var keepingProblem: String? { state.withLock { $0.keepingProblem } }

    /// Takes up what was left unsaved, or asks about it if the files changed since.
    func takeLeftover() {
        guard let kept, obstacle == nil else { return }
        do {
            guard let edits = try kept.edits(of: url) else { return }
            try state.withLock { state in
                if edits.fits(state.texts) { try state.take(edits) } else { state.leftover = edits }
            }
        } catch {
            state.withLock { $0.keepingProblem = "What was left unsaved can't be read: \(error)" }
        }
    }

    package func decide(_ choice: LeftoverChoice) throws {
        try state.withLock { state in
            switch choice {
            case .keep: state.restored = nil
            case .restore:
                guard let edits = state.leftover else { return }
                try state.take(edits)
            case .discard where state.leftover == nil:
                if state.draft != state.saved { state.replace(with: state.saved, label: "restored changes") }
                state.restored = nil
            case .discard: break
            }
            state.leftover = nil
            state.change += 1
        }
        keepEdits()
    }

    /// Writes what isn't saved, or takes away what was written. An edit doesn't fail with this.
    func keepEdits() {
        guard let kept, leftover == nil else { return }
        keeping.withLock { _ in
            do {
                if let edits = try state.withLock({ try $0.edits(of: url) }) {
                    try kept.keep(edits, of: url)
                } else {
                    try kept.remove(of: url)
                }
                state.withLock { $0.keepingProblem = nil }
            } catch {
                state.withLock { $0.keepingProblem = "Unsaved changes can't be kept on disk: \(error)" }
            }
        }
    }
}

extension ModelDocument.State {
    /// Returns the differences from the files; nil if there are none.
    fileprivate func edits(of url: URL) throws -> KeptEdits? {
        guard draft != saved else { return nil }
        let changed = draft.versions.filter { saved[version: $0.name] != $0.root }
        return KeptEdits(
            path: url.path, date: Date(), current: draft.current == saved.current ? nil : draft.current,
            versions: try changed.map { version in
                let text = try ModelText.bytes(of: version.root, like: texts[version.name])
                return KeptEdits.Version(
                    name: version.name, base: texts[version.name].map(KeptEdits.hash),
                    text: String(decoding: text, as: UTF8.self))
            })
    }

    /// Puts kept edits in place of what the files say; undo takes them back.
    fileprivate mutating func take(_ edits: KeptEdits) throws {
        var draft = self.draft
        for version in edits.versions {
            let root = try ModelText(Data(version.text.utf8), numbers: &numbers).root
            if draft[version: version.name] == nil {
                draft.versions.append(.init(name: version.name, root: root))
                draft.versions.sort { $0.name < $1.name }
            } else {
                draft[version: version.name] = root
            }
        }
        if let current = edits.current, draft[version: current] != nil { draft.current = current }
        replace(with: draft, label: "changes from before")
        restored = edits.date
    }
}
