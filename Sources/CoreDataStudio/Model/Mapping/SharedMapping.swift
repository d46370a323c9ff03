// The mapping models beside a model.

import CoreDataFiles
package import Foundation
import Synchronization

/// Mapping models of a folder, each opened at first use and shared by all sessions.
package final class SharedMapping: Sendable {
    /// One line of the list.
    package struct Item: Sendable, Hashable, Encodable {
        package let file: String
        package var isUnsaved = false
        package var obstacle: String?
        /// The reason why it can't be read.
        package var problem: String?
    }

    package let folder: URL
    private let isReadOnly: Bool
    private let documents = Mutex<[String: MappingDocument]>([:])

    package init(folder: URL, isReadOnly: Bool) {
        self.folder = folder
        self.isReadOnly = isReadOnly
    }

    package func items() -> [Item] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let files = names.filter { MappingFile.extensions.contains(($0 as NSString).pathExtension) }
        let fresh = documents.withLock { $0.filter { $0.value.isNew }.keys }
        return Set(files).union(fresh).sorted().map { file in
            var item = Item(file: file)
            do {
                let document = try document(file)
                item.isUnsaved = document.hasUnsavedEdits
                item.obstacle = document.obstacle
            } catch {
                item.problem = (error as? ModelFileError)?.description ?? "\(error)"
            }
            return item
        }
    }

    /// The mapping model of that file name. One without edits is read again if another program wrote it.
    package func document(_ file: String) throws -> MappingDocument {
        guard !file.contains("/"), !file.contains("\0"), !file.hasPrefix("."),
            MappingFile.extensions.contains((file as NSString).pathExtension)
        else { throw ModelEditFailure("\"\(file)\" is no name of a mapping model's file.") }
        if let known = documents.withLock({ $0[file] }) {
            if !known.isNew, !known.hasUnsavedEdits, known.isChangedOnDisk { try known.reload() }
            return known
        }
        let url = folder.appendingPathComponent(file)
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw ModelEditFailure("There is no mapping model \"\(file)\".")
        }
        let opened = try MappingDocument(contentsOf: url, isReadOnly: isReadOnly)
        return documents.withLock { documents in
            if let known = documents[file] { return known }
            documents[file] = opened
            return opened
        }
    }

    /// Begins a mapping model; its file is written when it is saved.
    package func add(_ name: String, draft: MappingDraft) throws -> MappingDocument {
        let file = name.hasSuffix(".xcmappingmodel") ? name : name + ".xcmappingmodel"
        guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), !name.hasPrefix("."),
            name.utf8.count <= 200
        else { throw ModelEditFailure("\"\(name)\" is no name for a file.") }
        let url = folder.appendingPathComponent(file)
        let document = MappingDocument(draft, at: url)
        try documents.withLock { documents in
            guard documents[file] == nil, !FileManager.default.fileExists(atPath: url.path) else {
                throw ModelEditFailure("There is \"\(file)\" already.")
            }
            documents[file] = document
        }
        return document
    }

    /// Forgets a mapping model that was never saved, or its edits.
    package func discard(_ file: String) throws {
        let document = try document(file)
        if document.isNew { documents.withLock { $0[file] = nil } } else { try document.reload() }
    }
}
