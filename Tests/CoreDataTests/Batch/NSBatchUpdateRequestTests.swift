// Batch updates.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSBatchUpdateRequestTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType] + StoreKind.serverTypes

    private func fill(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        let company = context.make("Company", ["name": "Acme"])
        for number in 0..<6 {
            let person = context.make(
                number % 2 == 0 ? "Person" : "Employee",
                ["name": "n\(number)", "age": number, "level": 10 * number])
            if number < 3 { person.setValue(company, forKey: "company") }
        }
        try context.save()
        return company
    }

    @Test(arguments: types)
    func constantsExpressionsAndNil(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            let company = try fill(context)
            let age = try #require(
                context.persistentStoreCoordinator?.managedObjectModel
                    .entitiesByName["Person"]?.attributesByName["age"])
            let changed = try context.batchUpdate(
                "Person", "company.name == 'Acme'",
                [
                    age: NSExpression(format: "age + level / 10"), "name": "x", "height": 1.5,
                    "level": NSNull(), "company": NSNull(),
                ])
            expect(changed, equals: 3)
            try expect(context.batchUpdate("Person", "age > 4", ["company": company.objectID]), equals: 1)
            context.refreshAllObjects()
            let people = try context.all("Person", sort: "age")
            expect(people.map { $0.value(forKey: "age") as? Int }, equals: [0, 2, 3, 4, 4, 5])
            try expect(context.all("Person", "name == 'x'").count, equals: 3)
            try expect(context.all("Person", "level == nil AND height == 1.5").count, equals: 3)
            try expect(
                context.all("Person", "company.name == 'Acme'").map { $0.text("name") }, equals: ["n5"])
        }
    }

    /// Nothing is cut off: the update fails as a whole.
    @Test(arguments: types)
    func numbersWiderThanTheAttributeAreRefused(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            for age in [1, 30000] {
                _ = context.make("Person", ["name": "x", "age": age, "level": 2_000_000_000])
            }
            try context.save()
            for (key, format) in [("age", "age * 3"), ("level", "level * 3"), ("level", "0 - level - level")]
            {
                let error = try #require(throws: NSError.self, "\(key)") {
                    try context.batchUpdate("Person", nil, [key: NSExpression(format: format)])
                }
                expect(error.domain, equals: NSCocoaErrorDomain)
            }
            try expect(
                context.batchUpdate("Person", nil, ["age": NSExpression(format: "age + 2767 - 30000")]),
                equals: 2)
            context.reset()
            let people = try context.all("Person", sort: "age")
            expect(people.map { $0.value(forKey: "age") as? Int }, equals: [-27232, 2767])
            expect(people.map { $0.value(forKey: "level") as? Int }, equals: [2_000_000_000, 2_000_000_000])
        }
    }

    /// The widest attribute overflows as the others do.
    @Test(arguments: types)
    func numbersBeyond64BitsAreRefused(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            _ = context.make("Person", ["name": "x", "visits": Int64.max, "height": 1e30])
            try context.save()
            for format in [
                "visits + 10", "visits * 3", "0 - visits - 10", "height", "height * -1", "visits + 1.0",
            ] {
                let error = try #require(throws: NSError.self, "\(format)") {
                    try context.batchUpdate("Person", nil, ["visits": NSExpression(format: format)])
                }
                expect(error.domain, equals: NSCocoaErrorDomain)
            }
            for (format, value) in [
                ("visits - 10", Int64.max - 10), ("visits + 10", .max), ("0 - visits - 1", .min),
                ("height / 1000000000000.0 / 1000000000000.0", 1_000_000),
            ] {
                try expect(
                    context.batchUpdate("Person", nil, ["visits": NSExpression(format: format)]), equals: 1)
                context.reset()
                let person = try #require(try context.all("Person").first)
                expect(person.value(forKey: "visits") as? Int64, equals: value, "\(format)")
            }
        }
    }

    @Test
    func anUpdateIsOneStatementAndRaisesVersions() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run {
            _ = try fill(context)
            let employee = try #require(try context.all("Employee", "age == 3").first)
            expect(employee.text("name"), equals: "n3")
            let statements = try stack.statements {
                try context.batchUpdate(
                    "Employee", "age > 1", ["name": NSExpression(format: "uppercase(name)")])
            }
            let updates = statements.filter { $0.hasPrefix("UPDATE") }
            expect(updates.count, equals: 1)
            #expect(updates[0].hasPrefix("UPDATE ZPERSON AS t0 SET ZNAME = "))
            #expect(
                updates[0].hasSuffix(
                    "Z_OPT = IFNULL(t0.Z_OPT, 0) % \(Int64.max) + 1 WHERE t0.Z_ENT = 4 AND t0.ZAGE > ?"))
            expect(employee.text("name"), equals: "n3")
            employee.setValue(1, forKey: "level")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            expect(error?.code.rawValue, equals: NSManagedObjectMergeError)
        }
    }

    @Test(arguments: types)
    func valuesOverRelationships(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            _ = try fill(context)
            let name = NSExpression(forKeyPath: "company.name")
            try expect(context.batchUpdate("Person", "company != nil", ["name": name]), equals: 3)
            context.refreshAllObjects()
            try expect(context.all("Person", "name == 'Acme'").count, equals: 3)
        }
    }

    @Test(arguments: types, ["scratch", "projects", "notes", "spouse", "unknown"])
    func whatHasNoColumnIsRefused(_ type: String, _ key: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            _ = try fill(context)
            for value in ["x" as Any, NSExpression(format: "name")] {
                let error = #expect(throws: CocoaError.self) {
                    try context.batchUpdate("Person", nil, ["name": "y", key: value])
                }
                expect(error?.localizedDescription.contains(key), equals: true)
            }
            #expect(try context.all("Person", "name == 'y'").isEmpty)
        }
    }

    @Test
    func subentitiesCanBeLeftOut() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run {
            _ = try fill(context)
            let request = NSBatchUpdateRequest(entityName: "Person")
            request.includesSubentities = false
            request.propertiesToUpdate = ["name": "p"]
            request.resultType = .updatedObjectIDsResultType
            let found = (try context.execute(request) as? NSBatchUpdateResult)?.result
            let identities = try #require(found as? [NSManagedObjectID])
            expect(identities.map(\.entity.name), equals: ["Person", "Person", "Person"])
            expect(request.entity.name, equals: "Person")
        }
    }

    @Test
    func aReadOnlyStoreRefuses() throws {
        let stack = try TestStack()
        let url = stack.url
        let other = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        try context.run {
            let error = #expect(throws: CocoaError.self) {
                try context.batchInsert("Company", [["name": "a"]])
            }
            expect(error?.code.rawValue, equals: NSPersistentStoreSaveError)
        }
    }
}
