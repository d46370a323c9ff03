// Unsaved edits on disk, so that they outlive the studio.

import CoreDataSupport
package import Foundation

/// The differences from a model's files when it was last edited.
package struct KeptEdits: Sendable, Codable {
    struct Version: Sendable, Codable {
        var name: String
        /// The hash of the file that was edited; nil if the version had none.
        var base: String?
        var text: String
    }

    /// The model's file.
    var path: String
    package var date: Date
    var current: String?
    var versions: [Version]

    /// Returns whether the files are those that were edited.
    func fits(_ texts: [String: Data]) -> Bool {
        versions.allSatisfy { $0.base == texts[$0.name].map(Self.hash) }
    }

    static func hash(_ data: Data) -> String { SHA256.hash(data).base64EncodedString() }
}

/// A folder with unsaved edits, one file for each model.
package struct KeptEditsFolder: Sendable {
    private let folder: URL

    package init(_ folder: URL) { self.folder = folder }

    private func place(of model: URL) -> URL {
        let path = model.resolvingSymlinksInPath().standardizedFileURL.path
        return folder.appendingPathComponent(SHA256.hash(Array(path.utf8)).hexadecimal + ".json")
    }

    /// The edits of a model that were kept; nil if there are none.
    package func edits(of model: URL) throws -> KeptEdits? {
        let place = place(of: model)
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        return try JSONDecoder().decode(KeptEdits.self, from: Data(contentsOf: place))
    }

    /// Keeps edits where only their owner can read them.
    package func keep(_ edits: KeptEdits, of model: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let place = place(of: model)
        try JSONEncoder().encode(edits).write(to: place, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
    }

    package func remove(of model: URL) throws {
        let place = place(of: model)
        if FileManager.default.fileExists(atPath: place.path) {
            try FileManager.default.removeItem(at: place)
        }
    }
}
