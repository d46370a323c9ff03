// Batches against values that must be unique: what each result type says, and what is left when a batch is refused.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct BatchUniquenessTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType] + StoreKind.serverTypes

    private func filled(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type, model: BatchModel.make())
        try stack.context.run { () throws in
            for title in ["a", "b"] { _ = stack.context.make("Book", ["title": title, "pages": 1]) }
            try stack.context.save()
        }
        return stack
    }

    private func titles(_ context: NSManagedObjectContext) throws -> [String?] {
        context.reset()
        return try context.all("Book", sort: "title").map { $0.text("title") }
    }

    @Test(arguments: types) func anUpdateThatBreaksAConstraintChangesNothing(_ type: String) throws {
        let stack = try filled(type)
        let context = stack.context
        try context.run { () throws in
            for policy in [NSMergePolicy.error, .overwrite, .mergeByPropertyStoreTrump] {
                context.mergePolicy = policy
                let error = #expect(throws: CocoaError.self) {
                    try context.batchUpdate("Book", nil, ["title": "c", "pages": 9])
                }
                expect(error?.code.rawValue, equals: NSManagedObjectConstraintMergeError)
                expect(error?.userInfo["constraint"] as? [String], equals: ["title"])
            }
            try expect(titles(context), equals: ["a", "b"])
            #expect(try context.all("Book", "pages == 9").isEmpty)
            try expect(context.batchUpdate("Book", "title == 'a'", ["title": "c"]), equals: 1)
            try expect(titles(context), equals: ["b", "c"])
        }
    }

    @Test(arguments: types, [1, 2, 3, 4])
    func eachResultTypeTellsOfTheRowsThatWereWritten(_ type: String, _ policy: Int) throws {
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        let overwrites = policy == 2 || policy == 3
        for result in [NSBatchInsertRequestResultType.statusOnly, .count, .objectIDs] {
            let stack = try filled(type)
            let context = stack.context
            context.mergePolicy = policies[policy]
            try context.run { () throws in
                let request = NSBatchInsertRequest(
                    entityName: "Book",
                    objects: [["title": "a", "pages": 5], ["title": "c"], ["title": "d"]])
                request.resultType = result
                let answer = try #require(try context.execute(request) as? NSBatchInsertResult)
                expect(answer.resultType, equals: result)
                switch result {
                case .statusOnly: expect(answer.result as? Bool, equals: true)
                case .count: expect(answer.result as? Int, equals: (overwrites ? 3 : 2))
                case .objectIDs:
                    let ids = try #require(answer.result as? [NSManagedObjectID])
                    let found = try ids.map { try context.existingObject(with: $0).text("title") ?? "" }
                    expect(found, equals: (overwrites ? ["c", "d", "a"] : ["c", "d"]))
                }
                try expect(titles(context), equals: ["a", "b", "c", "d"])
            }
        }
    }

    /// Each row of the request counts, and each row of the store is named once.
    @Test(arguments: types) func rowsThatAreWrittenAgainAreNamedOnce(_ type: String) throws {
        let stack = try filled(type)
        let context = stack.context
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.run { () throws in
            let rows = ["a", "c", "c", "a", "c"].enumerated().map {
                ["title": $1, "pages": $0] as [String: Any]
            }
            try expect(context.batchInsert("Book", rows), equals: 5)
            let request = NSBatchInsertRequest(entityName: "Book", objects: rows + [["title": "d"]])
            request.resultType = .objectIDs
            let ids = (try context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
            let found = try (ids ?? []).map { try context.existingObject(with: $0).text("title") ?? "" }
            expect(found, equals: ["d", "a", "c"])
            try expect(context.all("Book", "title == 'c' AND pages == 4").count, equals: 1)
        }
    }

    /// Rows without a value violate nothing, and several constraints may each name another row.
    @Test(arguments: types) func severalConstraintsAndMissingValues(_ type: String) throws {
        let model = BatchModel.make()
        let book = try #require(model.entitiesByName["Book"])
        book.properties.append(NSAttributeDescription("isbn", .stringAttributeType))
        book.uniquenessConstraints = [["title", "pages"], ["isbn"]]
        let stack = try TestStack(type: type, model: model)
        let context = stack.context
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.run { () throws in
            let rows: [[String: Any]] = [
                ["title": "a", "pages": 1, "isbn": "1"], ["title": "a", "pages": 2, "isbn": "2"],
                ["title": "a", "pages": NSNull()], ["title": "a", "pages": NSNull()], ["isbn": NSNull()],
            ]
            try expect(context.batchInsert("Book", rows), equals: 5)
            try expect(context.all("Book").count, equals: 5)
            try expect(context.batchInsert("Book", [["title": "a", "pages": 2, "isbn": "3"]]), equals: 1)
            try expect(context.all("Book").count, equals: 5)
            context.reset()
            try expect(context.all("Book", "isbn == '3' AND pages == 2").count, equals: 1)
            // One row under each constraint: there is no one row to update.
            let error = #expect(throws: CocoaError.self) {
                try context.batchInsert("Book", [["title": "a", "pages": 1, "isbn": "3"]])
            }
            expect(error?.code.rawValue, equals: NSManagedObjectConstraintMergeError)
            try expect(context.all("Book", "isbn == '3' AND pages == 2").count, equals: 1)
        }
    }
}
