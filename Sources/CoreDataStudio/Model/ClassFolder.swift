// Generated classes, written to a folder of the project, with what is there already beside them.

import CoreDataSupport
import Foundation

/// A folder below the one that the model is in.
struct ClassFolder {
    struct File: Encodable {
        let name: String
        let text: String
        /// The file that the folder has by that name; nil if nothing.
        let before: String?
        /// Indicates whether it is written once, for people to edit, and never over what is there.
        let isForEditing: Bool

        fileprivate var isWritten: Bool { before.map { $0 != text && !isForEditing } ?? true }
    }

    private let folder: URL
    private static let sizeLimit = 4 << 20

    /// Throws a problem for a path that leads out of the model's folder.
    init(_ path: String, beside model: URL) throws {
        let parts = path.split(separator: "/").map(String.init)
        guard !path.hasPrefix("/"), !parts.contains(".."), path.utf8.count <= 1000 else {
            throw StudioProblem(
                status: 422, "Name a folder below the one that the model is in, as in Sources/Model.")
        }
        let base = model.deletingLastPathComponent().resolvingSymlinksInPath()
        folder = parts.reduce(base) { $0.appendingPathComponent($1) }.resolvingSymlinksInPath()
        guard folder.path == base.path || folder.path.hasPrefix(base.path + "/") else {
            throw StudioProblem(status: 422, "\(path) leads out of the model's folder.")
        }
    }

    /// The files as they would be, with what they would take the place of.
    func compared(_ previews: [ModelPreview]) throws -> [File] {
        try previews.map {
            File(
                name: $0.name, text: $0.text, before: try text(of: $0.name), isForEditing: $0.isForEditing)
        }
    }

    private func text(of name: String) throws -> String? {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data = try Data(contentsOf: file)
        guard data.count <= Self.sizeLimit, let text = String(data: data, encoding: .utf8) else {
            throw StudioProblem(status: 422, "\(name) is there already and is no Swift source.")
        }
        return text
    }

    /// A mark of all that a comparison shows.
    static func mark(of files: [File]) -> String {
        let parts = files.flatMap { [$0.name, $0.text, $0.before ?? "", $0.before == nil ? "new" : "there"] }
        return SHA256.hash(Array(parts.joined(separator: "\0").utf8)).hexadecimal
    }

    /// Writes those that differ from what is there.
    func write(_ files: [File]) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files where file.isWritten {
            try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name), options: .atomic)
        }
    }
}

extension ModelRoutes {
    private struct Wish: Decodable {
        var version: String?
        var folder: String
        var sets: String?
        var scalars: String?
        /// The mark of the comparison that somebody saw. Without it the files are only compared.
        var seen: String?
    }

    private struct Comparison: Encodable {
        let files: [ClassFolder.File]
        /// Another one if the model or a file is another one.
        let mark: String
    }

    func addClasses(to routes: inout StudioRoutes) {
        routes.post("model/classes") { call in
            let document = try await Self.document(call, action: .editModel)
            guard let model = call.studio.modelFile else {
                throw StudioProblem(status: 409, "The model is in no file.")
            }
            let wish = try call.body(Wish.self)
            let name = wish.version ?? document.draft.current ?? ""
            guard let root = document.draft[version: name] else {
                throw StudioProblem(status: 404, "There is no version \"\(name)\".")
            }
            let options = Self.generationOptions(sets: wish.sets, scalars: wish.scalars)
            let folder = try ClassFolder(wish.folder, beside: model)
            let previews = try Self.explained {
                try ModelPreview.swift(of: root, named: document.name, options: options)
            }
            let files = try folder.compared(previews)
            let comparison = Comparison(files: files, mark: ClassFolder.mark(of: files))
            if let seen = wish.seen {
                guard seen == comparison.mark else {
                    throw StudioProblem(
                        status: 409, "The model or the files changed since they were compared: look again.")
                }
                try folder.write(files)
            }
            return comparison
        }
    }
}
