// The cost of pinned contexts for a file, and the consequence when it is too high.

@testable import CoreData
import CoreDataStores
import CoreDataTestSupport
import Foundation
import Testing

struct SQLiteStorePinsTests {
    private let limit: [String: NSObject] = [
        NSQueryGenerationToken.logLimitOption: NSNumber(value: 1_000_000)
    ]

    @Test func theLogShrinksOnceNothingIsPinned() throws {
        let pair = try PinnedPair()
        try pair.fill()
        try pair.snapshot()
        try pair.writeBytes(6_000_000)
        #expect(pair.logSize > 6_000_000)
        try pair.pinned.run { try pair.pinned.setQueryGenerationFrom(nil) }
        expect(pair.logSize, equals: 0)
        try expect(PinnedPair.names(pair.pinned).count, equals: 63)
    }

    @Test(arguments: PinnedPair.Writer.allCases)
    func aGenerationExpiresWhenTheLogOutgrowsItsLimit(_ writer: PinnedPair.Writer) throws {
        let pair = try PinnedPair(writer, options: limit)
        try pair.fill()
        try pair.snapshot()
        try pair.writeBytes(500_000)
        try expect(PinnedPair.names(pair.pinned), equals: ["p0", "p1", "p2"])
        try pair.writeBytes(1_000_000)
        let context = pair.pinned
        try context.run { () throws in
            // Not every read looks at what others wrote.
            let error = #expect(throws: NSError.self) {
                for _ in 0..<20 { _ = try context.all("Person") }
            }
            expect(error?.domain, equals: NSCocoaErrorDomain)
            expect(error?.code, equals: NSPersistentStoreOperationError)
            expect(error?.userInfo[NSSQLiteErrorDomain] as? Int, equals: 769)
            expect(error?.userInfo[NSFilePathErrorKey] as? String, equals: pair.container.store.url?.path)
            try context.setQueryGenerationFrom(.current)
            try expect(context.all("Person").count, equals: 18)
        }
    }

    @Test func theLimitIsLargeUnlessAnOptionSaysOtherwise() {
        expect(
            SQLiteStoreOptions([:]).snapshotLogLimit, equals: UInt64(NSQueryGenerationToken.defaultLogLimit))
        expect(NSQueryGenerationToken.defaultLogLimit, equals: 268_435_456)
        let negative = [NSQueryGenerationToken.logLimitOption: NSNumber(value: -1)]
        expect(SQLiteStoreOptions(negative).snapshotLogLimit, equals: 268_435_456)
        expect(SQLiteStoreOptions(limit).snapshotLogLimit, equals: 1_000_000)
    }

    @Test func aTokenThatExpiredIsRefused() throws {
        let pair = try PinnedPair(options: limit)
        try pair.fill()
        try pair.snapshot()
        let token = try #require(pair.pinned.run { pair.pinned.queryGenerationToken })
        try pair.writeBytes(1_500_000)
        let other = pair.container.newBackgroundContext()
        try other.run { () throws in
            let error = #expect(throws: NSError.self) { try other.setQueryGenerationFrom(token) }
            expect(error?.userInfo[NSSQLiteErrorDomain] as? Int, equals: 769)
        }
    }

    @Test func faultsOfAnExpiredGenerationAreInaccessible() throws {
        let pair = try PinnedPair(options: limit)
        try pair.fill()
        try pair.snapshot()
        let context = pair.pinned
        let people = try context.run { try context.all("Person", sort: "age") }
        context.performAndWait { context.refreshAllObjects() }
        try pair.writeBytes(1_500_000)
        try context.run { () throws in
            #expect(people[0].value(forKey: "name") == nil)
            #expect(people[0].isDeleted)
        }
    }

    @Test func aContextMayRefuseInaccessibleFaults() async {
        await #expect(processExitsWith: .failure) {
            let limit: [String: NSObject] = [
                NSQueryGenerationToken.logLimitOption: NSNumber(value: 1_000_000)
            ]
            let pair = try PinnedPair(options: limit)
            try pair.fill()
            try pair.snapshot()
            let context = pair.pinned
            context.performAndWait { context.shouldDeleteInaccessibleFaults = false }
            let people = try context.run { try context.all("Person", sort: "age") }
            context.performAndWait { context.refreshAllObjects() }
            try pair.writeBytes(1_500_000)
            try context.run { _ = people[0].value(forKey: "name") }
        }
    }

    @Test func generationsEndWithTheirStore() throws {
        let pair = try PinnedPair()
        try pair.fill()
        try pair.snapshot()
        let coordinator = pair.container.persistentStoreCoordinator
        let url = try #require(pair.container.store.url)
        try coordinator.remove(pair.container.store)
        expect(pair.logSize, equals: 0, "nobody holds the file any more")
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try pair.snapshot()
        try expect(PinnedPair.names(pair.pinned), equals: ["p0", "p1", "p2"])
    }

    @Test func aReadOnlyStoreIsPinnedToo() throws {
        let pair = try PinnedPair()
        try pair.fill()
        let reader = try StoreKind.sqlite.makeContainer(
            reopening: pair.container, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let context = reader.newBackgroundContext()
        try context.run { () throws in
            try context.setQueryGenerationFrom(.current)
            try expect(context.all("Person").count, equals: 3)
        }
        try pair.write { try $0.all("Person").forEach($0.delete) }
        try expect(context.run { try context.all("Person").count }, equals: 3)
        try context.run { try context.setQueryGenerationFrom(nil) }
        try expect(context.run { try context.all("Person").count }, equals: 0)
    }

    @Test func aPinnedRowKeepsItsExternalValue() throws {
        let make = {
            let model = CompanyModel.make()
            model.entitiesByName["Person"]?.attributesByName["photo"]?.allowsExternalBinaryDataStorage = true
            return model
        }
        let pair = try PinnedPair(model: make)
        let photo = Data(repeating: 3, count: 500_000)
        try pair.write { _ = $0.make("Person", ["photo": photo]) }
        try pair.snapshot()
        let folder = try #require(pair.container.store.url).deletingLastPathComponent()
            .appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        let files = { try FileManager.default.contentsOfDirectory(atPath: folder.path).count }
        try expect(files(), equals: 1)
        try pair.write { try $0.all("Person").forEach($0.delete) }
        let context = pair.pinned
        try context.run { () throws in
            try expect(context.all("Person").first?.value(forKey: "photo") as? Data, equals: photo)
            try context.setQueryGenerationFrom(nil)
        }
        try expect(files(), equals: 0)
    }

    @Test func theFileIsSoundAfterwards() throws {
        let pair = try PinnedPair(.otherCoordinator)
        try pair.fill()
        for round in 0..<20 {
            try pair.snapshot()
            let before = try PinnedPair.names(pair.pinned)
            try pair.write { context in
                for number in 0..<50 { _ = context.make("Person", ["name": "r\(round)-\(number)"]) }
                try context.all("Person", "name BEGINSWITH 'r\(round - 2)-'").forEach(context.delete)
            }
            try expect(PinnedPair.names(pair.pinned), equals: before)
        }
        try pair.pinned.run { try pair.pinned.setQueryGenerationFrom(nil) }
        let database = try RawDatabase(try #require(pair.container.store.url))
        try expect(database.rows("PRAGMA integrity_check"), equals: [["ok"]])
    }
}
