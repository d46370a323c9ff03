// Sections on disk: used when they fit, and never wrong.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SectionCacheTests {
    private func file(_ name: String) -> URL { URL(fileURLWithPath: "\(SectionCache.path)/\(name).json") }

    private func sections(_ list: PeopleList, _ cache: String, sort: [String] = ["level", "name"]) throws
        -> [String]
    {
        let controller = list.controller(sort: sort, section: "level", cache: cache)
        try controller.performFetch()
        return (controller.sections ?? []).map { "\($0.name):\($0.numberOfObjects)" }
    }

    @Test func aCacheIsReadWhileTheStoreIsTheSame() throws {
        let list = try PeopleList(PeopleList.some)
        let name = "People" + UUID().uuidString.filter { $0 != "-" }
        defer { NSFetchedResultsController<Person>.deleteCache(withName: name) }
        try list.context.run { () throws in
            try expect(sections(list, name), equals: ["1:2", "2:1", "3:1"])
            let written = try #require(try? Data(contentsOf: file(name)))
            try expect(sections(list, name), equals: ["1:2", "2:1", "3:1"])
            try expect(Data(contentsOf: file(name)), equals: written)
            // Another order of the same objects has other sections.
            let other = list.controller(sort: ["age"], section: "age", cache: name)
            try other.performFetch()
            expect(other.sections?.map(\.name), equals: ["10", "20", "30", "40"])
            #expect(try Data(contentsOf: file(name)) != written)
        }
    }

    @Test func savesAndUnsavedChangesKeepItOut() throws {
        let list = try PeopleList(PeopleList.some)
        let name = "People" + UUID().uuidString.filter { $0 != "-" }
        defer { NSFetchedResultsController<Person>.deleteCache(withName: name) }
        try list.context.run { () throws in
            try expect(sections(list, name), equals: ["1:2", "2:1", "3:1"])
            try list.person("Bob").setValue(2, forKey: "level")
            try expect(sections(list, name), equals: ["1:1", "2:2", "3:1"])
            try list.context.save()
            try expect(sections(list, name), equals: ["1:1", "2:2", "3:1"])
        }
    }

    @Test func wrongContentsAreFoundOut() throws {
        let list = try PeopleList(PeopleList.some)
        let name = "People" + UUID().uuidString.filter { $0 != "-" }
        defer { NSFetchedResultsController<Person>.deleteCache(withName: name) }
        try list.context.run { () throws in
            _ = try sections(list, name)
            let text = try String(contentsOf: file(name), encoding: .utf8)
            for wrong in ["[1,2,1]", "[2,2]", "[9,1,1]", "[4,0,0]"] {
                let changed = text.replacingOccurrences(of: "[2,1,1]", with: wrong)
                #expect(changed != text)
                try changed.write(to: file(name), atomically: true, encoding: .utf8)
                try expect(sections(list, name), equals: ["1:2", "2:1", "3:1"])
            }
            try "no cache".write(to: file(name), atomically: true, encoding: .utf8)
            try expect(sections(list, name), equals: ["1:2", "2:1", "3:1"])
        }
    }

    @Test func aDeletedCacheIsGone() throws {
        let list = try PeopleList(PeopleList.some)
        let name = "People" + UUID().uuidString.filter { $0 != "-" }
        try list.context.run { () throws in
            _ = try sections(list, name)
            #expect(FileManager.default.fileExists(atPath: file(name).path))
            NSFetchedResultsController<Person>.deleteCache(withName: name)
            #expect(!FileManager.default.fileExists(atPath: file(name).path))
            NSFetchedResultsController<Person>.deleteCache(withName: name)
        }
    }

    @Test func storesInMemoryHaveNone() throws {
        let list = try PeopleList(PeopleList.some, type: NSInMemoryStoreType)
        let name = "People" + UUID().uuidString.filter { $0 != "-" }
        try list.context.run { () throws in
            try expect(sections(list, name), equals: ["1:2", "2:1", "3:1"])
            #expect(!FileManager.default.fileExists(atPath: file(name).path))
        }
    }
}
