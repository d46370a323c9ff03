// Batch inserts.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSBatchInsertRequestTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType] + StoreKind.serverTypes

    @Test(arguments: types)
    func everyKindOfValueIsKept(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        let badge = UUID()
        try context.run {
            let company = context.make("Company", ["name": "Acme"])
            try context.save()
            let row: [String: Any] = [
                "name": "Zoë", "age": 41, "height": 1.75, "isActive": true, "badge": badge,
                "home": try #require(URL(string: "https://example.org")), "photo": Data([1, 0, 2]),
                "rating": Float(2.5), "visits": NSNull(), "level": NSNumber(value: -3),
                "tags": ["a", "b"] as NSArray, "company": company.objectID,
            ]
            try expect(context.batchInsert("Employee", [row]), equals: 1)
            try context.batchInsert("Company", [["name": "B", "budget": Decimal(string: "1.25") as Any]])
            let person = try #require(try context.all("Person").first)
            expect(person.entity.name, equals: "Employee")
            expect(person.text("name"), equals: "Zoë")
            expect(person.value(forKey: "age") as? Int, equals: 41)
            expect(person.value(forKey: "isActive") as? Bool, equals: true)
            expect(person.value(forKey: "badge") as? UUID, equals: badge)
            #expect((person.value(forKey: "home") as? URL)?.absoluteString == "https://example.org")
            expect(person.value(forKey: "photo") as? Data, equals: Data([1, 0, 2]))
            #expect(person.value(forKey: "visits") == nil)
            expect(person.value(forKey: "level") as? Int, equals: -3)
            expect(person.value(forKey: "tags") as? NSArray, equals: ["a", "b"])
            #expect(person.value(forKey: "company") as? NSManagedObject === company)
            let rich = try #require(try context.all("Company", "name == 'B'").first)
            expect((rich.value(forKey: "budget") as? NSNumber)?.decimalValue, equals: Decimal(string: "1.25"))
        }
    }

    @Test
    func rowsAreInsertedManyToAStatementAndKeysGoOn() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run {
            let rows: [[String: Any]] = (0..<100).map { ["name": "c\($0)"] }
            var count = 0
            let statements = try stack.statements { count = try context.batchInsert("Company", rows) }
            expect(count, equals: 100)
            #expect(statements.filter { $0.hasPrefix("INSERT") }.count < 20)
            expect(statements.filter { $0.hasPrefix("COMMIT") }.count, equals: 1)
            _ = context.make("Company", ["name": "last"])
            try context.save()
            try expect(context.all("Company").count, equals: 101)
            let last = try #require(try context.all("Company", "name == 'last'").first)
            expect(last.objectID.uriRepresentation().lastPathComponent, equals: "p101")
        }
    }

    @Test(arguments: types, ["unknown", "scratch", "projects", "spouse", "age"])
    func whatCantBeWrittenIsRefused(_ type: String, _ key: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            let error = #expect(throws: CocoaError.self) {
                try context.batchInsert("Person", [["name": "ok"], [key: "x"]])
            }
            expect(error?.localizedDescription.contains(key), equals: true)
            #expect(throws: CocoaError.self) { try context.batchInsert("Person", [["age": 70_000]]) }
            let left = try context.all("Person")
            #expect(left.isEmpty)
        }
    }

    @Test(arguments: types, [0, 1, 2, 3, 4])
    func thePolicySettlesWhatIsNotUnique(_ type: String, _ policy: Int) throws {
        let stack = try TestStack(type: type, model: BatchModel.make())
        let context = stack.context
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        context.mergePolicy = policies[policy]
        try context.run {
            _ = context.make("Book", ["title": "a", "pages": 10, "cover": Data([1])])
            try context.save()
            let rows: [[String: Any]] = [
                ["title": "a", "pages": 20], ["title": "b"], ["title": "b", "pages": 5],
            ]
            if policy == 0 {
                let error = #expect(throws: CocoaError.self) { try context.batchInsert("Book", rows) }
                expect(error?.code.rawValue, equals: NSManagedObjectConstraintMergeError)
                try expect(context.all("Book").count, equals: 1)
                return
            }
            let overwrites = policy == 2 || policy == 3
            try context.batchInsert("Book", rows)
            context.refreshAllObjects()
            let books = try context.all("Book", sort: "title")
            expect(books.map { $0.text("title") }, equals: ["a", "b"])
            expect(books[0].value(forKey: "pages") as? Int, equals: (overwrites ? 20 : 10))
            expect(books[0].value(forKey: "cover") as? Data, equals: (policy == 3 ? nil : Data([1])))
            expect(books[1].value(forKey: "pages") as? Int, equals: (overwrites ? 5 : 1))
        }
    }

    /// A row of an entity below is a row of the entity; one of an entity above isn't.
    @Test(arguments: types, [1, 2, 3, 4])
    func rowsOfSubentitiesHaveTheValuesToo(_ type: String, _ policy: Int) throws {
        let animal = NSEntityDescription(
            "Animal",
            NSAttributeDescription.all(("tag", .stringAttributeType), ("legs", .integer16AttributeType)))
        let bird = NSEntityDescription("Bird", NSAttributeDescription.all(("wings", .integer16AttributeType)))
        animal.subentities = [bird]
        animal.uniquenessConstraints = [["tag"]]
        let model = NSManagedObjectModel()
        model.entities = [animal, bird]
        let stack = try TestStack(type: type, model: model)
        let context = stack.context
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        let overwrites = policy == 2 || policy == 3
        context.mergePolicy = policies[policy]
        try context.run { () throws in
            let owl = context.make("Bird", ["tag": "a", "legs": 2, "wings": 2])
            _ = context.make("Animal", ["tag": "b"])
            try context.save()
            let request = NSBatchInsertRequest(
                entityName: "Animal", objects: [["tag": "a", "legs": 3], ["tag": "c"]])
            request.resultType = .objectIDs
            let result = try context.execute(request) as? NSBatchInsertResult
            let ids = try #require(result?.result as? [NSManagedObjectID])
            expect(ids.map { $0.entity.name }, equals: (overwrites ? ["Animal", "Bird"] : ["Animal"]))
            expect(ids.contains(owl.objectID), equals: overwrites)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
            expect(owl.value(forKey: "legs") as? Int, equals: (overwrites ? 3 : 2))
            expect(owl.value(forKey: "wings") as? Int, equals: 2)
            try expect(context.all("Animal").count, equals: 3)
            // A plain animal can't become a bird.
            if overwrites {
                let error = #expect(throws: NSError.self) { try context.batchInsert("Bird", [["tag": "b"]]) }
                expect(error?.code, equals: NSManagedObjectConstraintMergeError)
            } else {
                try expect(context.batchInsert("Bird", [["tag": "b"]]), equals: 0)
            }
            try expect(context.all("Animal").count, equals: 3)
        }
    }

    @Test
    func aChildContextInsertsAtTheRoot() throws {
        let stack = try TestStack()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        _ = try child.run { try child.batchInsert("Company", [["name": "a"]]) }
        let other = stack.another()
        try expect(other.run { try other.all("Company").count }, equals: 1)
        #expect(stack.context.performAndWait { !stack.context.hasChanges })
    }

    @Test
    func cancellingRollsBackWhatWasInserted() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run {
            let progress = Progress(totalUnitCount: 1)
            var number = 0
            let request = NSBatchInsertRequest(entityName: "Company") { (row: NSMutableDictionary) in
                row.setObject("x" as NSString, forKey: "name" as NSString)
                number += 1
                if number == 1000 { progress.cancel() }
                return number > 5000
            }
            progress.becomeCurrent(withPendingUnitCount: 1)
            let error = #expect(throws: CocoaError.self) { try context.execute(request) }
            progress.resignCurrent()
            expect(error?.code, equals: .userCancelled)
            #expect(number < 5000)
            let left = try context.all("Company")
            #expect(left.isEmpty)
        }
    }

    @Test
    func largeValuesGetFilesThatGoWithTheirRows() throws {
        let stack = try TestStack(model: BatchModel.make())
        let context = stack.context
        let files = stack.folder.file(".Company_SUPPORT/_EXTERNAL_DATA")
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: files.path).count }
        try context.run {
            let large = Data(repeating: 7, count: 200_000)
            try context.batchInsert(
                "Book", [["title": "a", "cover": large], ["title": "b", "cover": large]])
            try expect(count(), equals: 2)
            #expect(try context.all("Book").allSatisfy { $0.value(forKey: "cover") as? Data == large })
            try context.batchUpdate("Book", "title == 'a'", ["cover": Data([1])])
            try expect(count(), equals: 1)
            try context.batchDelete("Book", "title == 'b'")
            try expect(count(), equals: 0)
        }
    }
}
