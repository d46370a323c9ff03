// A model as pages get it.

import Foundation
import Synchronization

/// Everything about the document and one of its versions.
struct ModelAnswer: Encodable {
    struct Version: Encodable {
        var name: String
        var isCurrent: Bool
        var isUnsaved: Bool
    }

    var name: String
    var path: String?
    /// The reason why nothing can be edited; nil if it can.
    var obstacle: String?
    var isVersioned: Bool
    /// Grows with every edit.
    var change: Int
    /// The opening of the file that the numbers belong to.
    var opening: String
    var isUnsaved: Bool
    var undo: String?
    var redo: String?
    var filesChangedOnDisk: [String]
    /// Indicates whether saving this version formats its file anew.
    var isReformatted: Bool
    var versions: [Version]
    var version: String
    var root: Element
    var checks: [ModelCheck]
    struct Left: Encodable {
        /// When the edits were made, in ISO 8601.
        var date: String
        /// Indicates whether the person has to decide, since the files changed.
        var isUndecided: Bool
    }

    /// Edits that an earlier run of the studio left unsaved.
    var left: Left?
    /// The reason why edits aren't kept on disk, if they should be.
    var keepingProblem: String?
    /// Versions that can't be read, each with the reason.
    var unreadable: [String]
    /// The numbers of what the edit made.
    var made: [Int]

    /// The document with the version of that name, or the current one.
    init(_ document: ModelDocument, version wanted: String?, made: [Int] = []) throws {
        // All of one moment: with a number too high a page would wait for an edit that it hasn't seen.
        let state = document.state.withLock { $0 }
        let draft = state.draft
        let shown = draft.versions.first { $0.name == draft.current } ?? draft.versions.first
        let name = wanted ?? shown?.name ?? ""
        guard let root = draft[version: name] else {
            throw StudioProblem(status: 404, "There is no version \"\(name)\".")
        }
        let unsaved = Set(state.unsavedVersions)
        self.name = document.name
        path = document.url.pathExtension.isEmpty ? nil : document.url.path
        obstacle = document.obstacle
        isVersioned = document.isVersioned
        (change, opening) = (state.change, document.opening)
        isUnsaved = state.draft != state.saved
        (undo, redo) = (state.undo.last?.label, state.redo.last?.label)
        filesChangedOnDisk = document.filesChangedOnDisk()
        isReformatted = state.foreign.contains(name)
        versions = draft.versions.map {
            Version(name: $0.name, isCurrent: $0.name == draft.current, isUnsaved: unsaved.contains($0.name))
        }
        version = name
        self.root = Element(root)
        checks = ModelChecker.checks(of: root)
        self.made = made
        left =
            state.leftover.map { Left(date: $0.date.formatted(.iso8601), isUndecided: true) }
            ?? state.restored.map { Left(date: $0.formatted(.iso8601), isUndecided: false) }
        keepingProblem = state.keepingProblem
        unreadable = state.unreadable.sorted { $0.key < $1.key }.map {
            "Version \($0.key) can't be read and is left as it is: \($0.value)."
        }
    }

    /// An element with its fields' values; those that are empty or no are left out.
    struct Element: Encodable {
        var id: Int
        var kind: String
        var values: [String: ModelValue]
        var children: [Element]
        var userInfo: [ModelCommand.Entry]?
        var constraints: [[String]]?
        var members: [String]?

        init(_ node: ModelNode) {
            id = node.id
            kind = node.name
            values = [:]
            for field in ModelField.all[node.name] ?? [] {
                let value = field.value(in: node)
                if value != .none, value != .flag(false) { values[field.key] = value }
            }
            children = node.children.filter {
                ModelField.all[$0.name] != nil && node.name != "fetchedProperty"
            }
            .map(Element.init)
            if node.name == "entity" { constraints = node.constraints }
            if node.name == "configuration" { members = node.children.map(\.title) }
            if node.name == "entity" || ModelNode.propertyKinds.contains(node.name) {
                userInfo = node.userInfo.map { .init(key: $0.key, value: $0.value) }
            }
        }
    }
}
