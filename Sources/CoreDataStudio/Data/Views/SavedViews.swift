// Views of rows that have a name: columns, filters and order, in a file that people share with the model.

package import Foundation
import StoreTools
import Synchronization

/// One view.
package struct SavedView: Codable, Sendable {
    package var name: String
    var query: GridQuery.Fields
}

/// The file with a studio's views.
///
/// The file is read for each request and written whole: it may change by git or an editor at any time.
package final class SavedViews: Sendable {
    private struct Contents: Codable {
        var views: [SavedView]
    }

    private static let limit = 500
    private static let longestName = 100
    private static let longestFile = 4 << 20

    private let file: URL
    private let writing = Mutex(())

    package init(_ file: URL) { self.file = file }

    package var path: String { file.path }

    /// Returns an entity's views by name.
    ///
    /// - Throws: a problem of status 422 for a file that holds something else.
    package func views(of entity: String) throws -> [SavedView] {
        try all().filter { $0.query.entity == entity }.sorted { $0.name < $1.name }
    }

    /// Keeps a view in place of one of the same name.
    ///
    /// - Throws: a problem of status 422 for a name that can't be taken, a file that holds something else and a place that
    ///   can't be written to; the file is as it was then.
    package func keep(_ view: SavedView) throws {
        guard !view.name.allSatisfy(\.isWhitespace), view.name.count <= Self.longestName else {
            throw StudioProblem(status: 422, "A view's name has up to \(Self.longestName) characters.")
        }
        try change { views in
            views.removeAll { $0.isSame(as: view.name, view.query.entity) }
            guard views.count < Self.limit else {
                throw StudioProblem(status: 422, "\(self.path) has \(Self.limit) views already.")
            }
            views.append(view)
        }
    }

    /// Removes a view, if it is there.
    package func remove(_ name: String, of entity: String) throws {
        try change { $0.removeAll { $0.isSame(as: name, entity) } }
    }

    private func change(_ body: (inout [SavedView]) throws -> Void) throws {
        try writing.withLock { _ in
            var views = try all()
            try body(&views)
            views.sort { ($0.query.entity, $0.name) < ($1.query.entity, $1.name) }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(Contents(views: views)) + Data("\n".utf8)
            do {
                try data.write(to: file, options: .atomic)
            } catch {
                throw StudioProblem(status: 422, "The view can't be kept in \(path): \(readable(error))")
            }
        }
    }

    private func all() throws -> [SavedView] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            let data = try Data(contentsOf: file)
            guard data.count <= Self.longestFile else {
                throw StudioProblem(status: 422, "\(path) is too long for a file of views.")
            }
            return try JSONDecoder().decode(Contents.self, from: data).views
        } catch let problem as StudioProblem {
            throw problem
        } catch is DecodingError {
            throw StudioProblem(status: 422, "\(path) isn't a file of views; it stays as it is.")
        } catch {
            throw StudioProblem(status: 422, "\(path) can't be read: \(readable(error))")
        }
    }
}

extension SavedView {
    fileprivate func isSame(as name: String, _ entity: String) -> Bool {
        self.name == name && query.entity == entity
    }
}
