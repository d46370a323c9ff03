// The meaning of requests in cases that are easy to get wrong. More stands in the tests of contexts:
// dictionaries, unsaved changes, and results of each type.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FetchSemanticsTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    private func filled(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.context.run { () throws in
            for (name, age) in [("Ada", 30), ("Bob", 20), ("Cyd", 30)] {
                _ = stack.context.make("Person", ["name": name, "age": age])
            }
            _ = stack.context.make("Employee", ["name": "Dan", "age": 50])
            try stack.context.save()
        }
        return stack
    }

    private func request<T>(_ result: NSFetchRequestResultType, _: T.Type) -> NSFetchRequest<T> {
        let request = NSFetchRequest<T>(entityName: "Person")
        request.resultType = result
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    @Test func resultTypesHaveApplesValues() {
        let types: [NSFetchRequestResultType] = [
            .managedObjectResultType, .managedObjectIDResultType, .dictionaryResultType, .countResultType,
        ]
        expect(types.map(\.rawValue), equals: [0, 1, 2, 4])
        expect(NSFetchRequest<NSManagedObject>().resultType, equals: .managedObjectResultType)
    }

    @Test(arguments: types) func unsavedObjectsOfSubentitiesCountOnlyWithSubentities(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            _ = stack.context.make("Employee", ["name": "Eve"])
            _ = stack.context.make("Person", ["name": "Fay"])
            let people = request(.managedObjectResultType, NSManagedObject.self)
            try expect(stack.context.fetch(people).count, equals: 6)
            people.includesSubentities = false
            try expect(
                stack.context.fetch(people).map { $0.text("name") }, equals: ["Ada", "Bob", "Cyd", "Fay"])
            try expect(stack.context.count(for: people), equals: 4)
        }
    }

    @Test(arguments: types) func offsetAndLimitCountAfterUnsavedChangesInEveryResultType(_ type: String)
        throws
    {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let new = stack.context.make("Person", ["name": "Abe"])
            stack.context.delete(try stack.context.all("Person", "name = 'Bob'")[0])
            let ids = request(.managedObjectIDResultType, NSManagedObjectID.self)
            ids.fetchLimit = 2
            let ada = try stack.context.all("Person", "name = 'Ada'")[0]
            #expect(
                try stack.context.fetch(ids) == [new.objectID, ada.objectID] && new.objectID.isTemporaryID)
            let count = request(.countResultType, NSNumber.self)
            count.fetchOffset = 1
            try expect(stack.context.fetch(count), equals: [3])
            let objects = request(.managedObjectResultType, NSManagedObject.self)
            objects.fetchOffset = 1
            objects.fetchLimit = 2
            try expect(stack.context.fetch(objects).map { $0.text("name") }, equals: ["Ada", "Cyd"])
        }
    }

    @Test(arguments: types) func aDictionaryFetchMaySortByWhatItDoesNotFetch(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let rows = request(.dictionaryResultType, NSDictionary.self)
            rows.propertiesToFetch = ["name"]
            rows.sortDescriptors = [
                NSSortDescriptor(key: "age", ascending: false),
                NSSortDescriptor(key: "name", ascending: true),
            ]
            let found = try stack.context.fetch(rows)
            expect(found.map { $0["name"] as? String }, equals: ["Dan", "Ada", "Cyd", "Bob"])
            #expect(found.allSatisfy { $0.count == 1 })
        }
    }

    @Test(arguments: types) func dictionariesComeInBatchesWithTheirIDs(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let rows = request(.dictionaryResultType, NSDictionary.self)
            rows.propertiesToFetch = ["name", "objectID"]
            rows.fetchBatchSize = 2
            let found = try stack.context.fetch(rows)
            expect(found.map { $0["name"] as? String }, equals: ["Ada", "Bob", "Cyd", "Dan"])
            #expect(found.allSatisfy { $0["objectID"] is NSManagedObjectID })
        }
    }

    @Test(arguments: types) func withoutFaultsUnsavedObjectsAreAmongTheResults(_ type: String) throws {
        let stack = try filled(type)
        let context = stack.another()
        try context.run { () throws in
            let new = context.make("Person", ["name": "Abe"])
            let people = request(.managedObjectResultType, NSManagedObject.self)
            people.returnsObjectsAsFaults = false
            let found = try context.fetch(people)
            #expect(found.first === new && found.count == 5 && found.allSatisfy { !$0.isFault })
        }
    }

    @Test(arguments: types) func fetchesStandInPredicates(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let old = NSFetchRequest<NSManagedObject>(entityName: "Person")
            old.predicate = NSPredicate(format: "age = 30")
            let expression = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: old),
                context: NSExpression(forConstantValue: stack.context), countOnly: true)
            let value = expression.expressionValue(with: nil, context: nil)
            expect((value as? NSNumber)?.intValue, equals: 2)
            let all = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: old),
                context: NSExpression(forConstantValue: stack.context), countOnly: false)
            expect((all.expressionValue(with: nil, context: nil) as? [Any])?.count, equals: 2)
        }
    }

    @Test func aRequestExecutesInTheContextOfTheBlock() throws {
        let stack = try filled(NSSQLiteStoreType)
        let people = request(.managedObjectResultType, NSManagedObject.self)
        let found = try stack.context.run { () throws in try people.execute() }
        #expect(found.count == 4 && found.allSatisfy { $0.managedObjectContext === stack.context })
    }

    /// A count is the number of results that the request would have, whatever these are.
    @Test(arguments: StoreKind.allCases) func countsAreThoseOfTheResults(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.viewContext
        for (name, age) in [("Ada", 30), ("Bob", 30), ("Cyd", 31), ("Ada", 30), ("Ada", 29)] {
            _ = context.make("Person", ["name": name, "age": age])
        }
        _ = context.make("Person")
        try context.save()
        var results: [Int] = []
        for change in 0..<8 {
            let rows = request(.dictionaryResultType, NSDictionary.self)
            rows.propertiesToFetch = change == 1 ? ["name", "age"] : ["name"]
            rows.returnsDistinctResults = ![5, 6].contains(change)
            switch change {
            case 2: rows.fetchLimit = 2
            case 3: rows.fetchOffset = 1
            case 4: rows.predicate = NSPredicate(format: "age = 30")
            case 5: rows.propertiesToGroupBy = ["name"]
            case 7: rows.predicate = NSPredicate(format: "age > 100")
            default: break
            }
            if change == 5 { rows.havingPredicate = NSPredicate(format: "name != nil") }
            results.append(try context.fetch(rows).count)
            try expect(context.count(for: rows), equals: results.last ?? -1, "\(change)")
        }
        expect(results, equals: [4, 5, 2, 3, 2, 3, 6, 0])
        withExtendedLifetime(container) {}
    }

    /// Bytes are in order one by one, a beginning before what goes on, and none at all is neither.
    @Test(arguments: StoreKind.allCases) func theLeastAndTheGreatestOfBytes(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.viewContext
        let company = context.make("Company", ["name": "Ink"])
        let bytes: [[UInt8]] = [[0x80], [0x0A, 0], [0xFF], [0x0A], [0xA0, 9]]
        for bytes in bytes { _ = context.make("Person", ["photo": Data(bytes), "company": company]) }
        _ = context.make("Person", ["name": "f", "company": company])
        _ = context.make("Company", ["name": "None"])
        try context.save()
        let rows = NSFetchRequest<NSDictionary>(entityName: "Person")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = ["min:", "max:"].map { function in
            let column = NSExpressionDescription()
            column.name = function
            column.expression = NSExpression(
                forFunction: function, arguments: [NSExpression(forKeyPath: "photo")])
            column.expressionResultType = .binaryDataAttributeType
            return column
        }
        let found = try context.fetch(rows)
        expect(found.map { $0["min:"] as? Data }, equals: [Data([0x0A])])
        expect(found.map { $0["max:"] as? Data }, equals: [Data([0xFF])])
        let companies = NSFetchRequest<NSManagedObject>(entityName: "Company")
        companies.predicate = NSPredicate(
            format: "people.@min.photo == %@ AND people.@max.photo == %@", Data([0x0A]) as NSData,
            Data([0xFF]) as NSData)
        try expect(context.fetch(companies).map { $0.text("name") }, equals: ["Ink"])
        companies.predicate = NSPredicate(format: "people.@max.photo == nil")
        try expect(context.fetch(companies).map { $0.text("name") }, equals: ["None"])
        withExtendedLifetime(container) {}
    }
}
