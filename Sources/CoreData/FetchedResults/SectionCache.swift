// Names and sizes of sections on disk, so that a long list needn't be read for its sections.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The file of one cache name.
///
/// The cache counts only if it was written for the same fetch, and the store's files are as they were then;
/// the ends of the sections are compared with the objects besides.
package struct SectionCache {
    private let file: URL
    private let fingerprint: String

    private struct Contents: Codable {
        var fingerprint: String
        var names: [String]
        var counts: [Int]
    }

    /// `nil` where the state of a store can't be told, or a client's code takes part in the order.
    init?(_ name: String, fetch: ResolvedFetch, sectionNameKeyPath: String) {
        guard fetch.memorySort.isEmpty else { return nil }
        var parts = [
            fetch.entity.name, fetch.entity.description.versionHash.base64EncodedString(), sectionNameKeyPath,
            fetch.storeFetch.predicate?.format ?? "", "\(fetch.storeFetch.includesSubentities)",
            "\(fetch.storeFetch.offset) \(fetch.storeFetch.limit)",
        ]
        parts += fetch.storeFetch.sortKeys.map { "\($0.keyPath) \($0.ascending) \($0.comparison.rawValue)" }
        for store in fetch.stores {
            let found = store.exclusively { store.rowStore?.nameOfState() }
            guard let state = found ?? nil else { return nil }
            parts.append(state)
        }
        fingerprint = parts.joined(separator: "\n")
        file = Self.file(name)
    }

    func read() -> [SectionReader.Section]? {
        guard let data = try? Data(contentsOf: file),
            let contents = try? JSONDecoder().decode(Contents.self, from: data),
            contents.fingerprint == fingerprint, contents.names.count == contents.counts.count
        else { return nil }
        return zip(contents.names, contents.counts).map { (name: $0, count: $1) }
    }

    /// Writes the sections. A cache that can't be written is none: the next fetch reads the objects again.
    func write(_ sections: [SectionReader.Section]) {
        let contents = Contents(
            fingerprint: fingerprint, names: sections.map(\.name), counts: sections.map(\.count))
        try? FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try? JSONEncoder().encode(contents).write(to: file, options: .atomic)
    }

    /// Removes the cache of that name, or all of the program's.
    static func delete(_ name: String?) {
        // A file that isn't there needn't be removed.
        try? FileManager.default.removeItem(at: name.map(file) ?? folder)
    }

    /// The path of `folder`.
    package static var path: String { folder.path }

    /// The folder of a program's caches: the user's caches, by the program's name.
    static var folder: URL {
        let files = FileManager.default
        let caches =
            files.urls(for: .cachesDirectory, in: .userDomainMask).first ?? files.temporaryDirectory
        return caches.appendingPathComponent(ProcessInfo.processInfo.processName)
            .appendingPathComponent("CoreData/Sections")
    }

    private static func file(_ name: String) -> URL {
        let plain = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
        return folder.appendingPathComponent(plain + ".json")
    }
}
