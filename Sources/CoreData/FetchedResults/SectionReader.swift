// The sections of fetched objects.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Divides fetched objects into sections.
struct SectionReader {
    typealias Section = (name: String, count: Int)

    private let fetch: ResolvedFetch
    private let keyPath: String
    private let cache: SectionCache?

    init(_ fetch: ResolvedFetch, keyPath: String, cacheName: String?) {
        self.fetch = fetch
        self.keyPath = keyPath
        cache = cacheName.flatMap { SectionCache($0, fetch: fetch, sectionNameKeyPath: keyPath) }
    }

    /// The sections in order. Unsaved changes keep the cache out.
    func sections(of objects: [AnyObject], in context: NSManagedObjectContext) throws -> [Section] {
        guard let cache, PendingOverlay(context, fetch: fetch).isEmpty else { return try read(objects) }
        if let known = cache.read(), fits(known, objects: objects) { return known }
        let sections = try read(objects)
        cache.write(sections)
        return sections
    }

    private func name(_ object: AnyObject) -> String { SectionNaming.name(of: object, keyPath: keyPath) }

    /// Returns whether cached sections are those of the objects: as sections stand together, their ends tell.
    private func fits(_ sections: [Section], objects: [AnyObject]) -> Bool {
        var start = 0
        for section in sections {
            guard section.count > 0, section.count <= objects.count - start else { return false }
            let end = start + section.count - 1
            guard name(objects[start]) == section.name, name(objects[end]) == section.name else {
                return false
            }
            start = end + 1
        }
        return start == objects.count && Set(sections.map(\.name)).count == sections.count
    }

    private func read(_ objects: [AnyObject]) throws -> [Section] {
        var sections: [Section] = []
        var known: Set<String> = []
        for (number, object) in objects.enumerated() {
            let name = name(object)
            if sections.last?.name == name {
                sections[sections.count - 1].count += 1
            } else if known.insert(name).inserted {
                sections.append((name, 1))
            } else {
                throw outOfOrder(name, number: number)
            }
        }
        return sections
    }

    private func outOfOrder(_ name: String, number: Int) -> NSError {
        CoreDataError.make(
            NSCoreDataError,
            description:
                "The fetched object at index \(number) has an out of order section name '\(name)'. Objects must be "
                + "sorted by section name: let the first sort descriptor follow \"\(keyPath)\".",
            userInfo: [CoreDataError.Key.entity: fetch.entity.name])
    }
}
