import CoreData
import CoreDataTestSupport
import Testing

@Suite struct FaultBatchTests {
    private func filled(_ count: Int) throws -> (TestStack, NSManagedObjectContext) {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<count {
                _ = stack.context.make("Person", ["name": "P\(number)", "age": number])
            }
            try stack.context.save()
        }
        return (stack, stack.another())
    }

    private func request(batch: Int) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        request.fetchBatchSize = batch
        return request
    }

    @Test func faultsAreFilledBatchByBatch() throws {
        let (stack, context) = try filled(50)
        try context.run { () throws in
            var people: [NSManagedObject] = []
            try stack.expectSelects(1) { people = try context.fetch(request(batch: 20)) }
            #expect(people.count == 50 && people.allSatisfy { $0.isFault })
            try stack.expectSelects(1) { expect(people[0].text("name"), equals: "P0") }
            try stack.expectSelects(0) { expect(people[19].text("name"), equals: "P19") }
            try stack.expectSelects(2) { for person in people { _ = person.value(forKey: "age") } }
            expect(people.map { $0.value(forKey: "age") as? Int }, equals: Array(0..<50))
        }
    }

    @Test func pendingChangesJoinABatchedFetch() throws {
        let (_, context) = try filled(10)
        try context.run { () throws in
            _ = context.make("Person", ["name": "New", "age": 5])
            let ages = try context.fetch(request(batch: 4)).compactMap { $0.value(forKey: "age") as? Int }
            expect(ages, equals: [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9])
        }
    }

    @Test func filledFaultsKeepTheirValues() throws {
        let (_, context) = try filled(10)
        try context.run { () throws in
            let known = try context.all("Person", "age == 3")[0]
            known.setValue("Changed", forKey: "name")
            let people = try context.fetch(request(batch: 4))
            _ = people[0].text("name")
            #expect(people[3] === known && known.text("name") == "Changed" && known.hasChanges)
        }
    }
}

@Suite struct BatchedResultsTests {
    @Test func readsObjectsInBatches() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<25 { _ = stack.context.make("Person", ["age": number]) }
            _ = stack.context.make("Employee", ["age": 25])
            try stack.context.save()
        }
        let context = stack.another()
        try context.run { () throws in
            let request = NSFetchRequest<Person>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            request.includesSubentities = false
            request.fetchBatchSize = 10
            let results = try context.fetchBatched(request)
            #expect(results.count == 25 && results.startIndex == 0)
            try stack.expectSelects(1) { expect(results[0].value(forKey: "age") as? Int, equals: 0) }
            try stack.expectSelects(0) { expect(results[9].value(forKey: "age") as? Int, equals: 9) }
            try stack.expectSelects(1) { expect(results.last?.value(forKey: "age") as? Int, equals: 24) }
            expect(results.map { $0.value(forKey: "age") as? Int }, equals: Array(0..<25))
            expect(results.objectID(at: 3), equals: results[3].objectID)
            expect(results.reversed().first?.value(forKey: "age") as? Int, equals: 24)
            let all = NSFetchRequest<NSManagedObject>(entityName: "Person")
            let mixed = try context.fetchBatched(all)
            #expect(mixed.count == 26 && mixed.contains { $0.entity.name == "Employee" })
        }
    }

    @Test func theyAreACollectionOfTheRequestsClass() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<7 { _ = stack.context.make("Person", ["age": number]) }
            try stack.context.save()
            let request = NSFetchRequest<Person>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            request.fetchBatchSize = 3
            let results: BatchedResults<Person> = try stack.context.fetchBatched(request)
            #expect(results.startIndex == 0 && results.endIndex == 7)
            let last = results[results.index(before: results.endIndex)]
            expect(last.value(forKey: "age") as? Int, equals: 6)
            expect(results.suffix(2).map { $0.value(forKey: "age") as? Int }, equals: [5, 6])
            request.predicate = NSPredicate(format: "age > 6")
            #expect(try stack.context.fetchBatched(request).isEmpty)
        }
    }

    @Test func batchesReadWhatTheRequestPrefetches() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<10 {
                let company = stack.context.make("Company", ["name": "C\(number)"])
                for _ in 0..<number { _ = stack.context.make("Person", ["company": company]) }
            }
            try stack.context.save()
        }
        let context = stack.another()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.relationshipKeyPathsForPrefetching = ["people"]
            request.fetchBatchSize = 5
            let results = try context.fetchBatched(request)
            // Two batches, each its rows and their members.
            try stack.expectSelects(4) {
                expect(results.map { ($0.value(forKey: "people") as? NSSet)?.count }, equals: Array(0..<10))
            }
        }
    }

    /// People and employees whose rows are in another order in an index than in their table.
    private func mixedUp() throws -> (TestStack, NSManagedObjectContext) {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let companies = (0..<7).map { stack.context.make("Company", ["name": "\($0)"]) }
            try stack.context.save()
            for number in 0..<30 {
                let entity = number % 4 == 0 ? "Employee" : "Person"
                _ = stack.context.make(entity, ["age": number, "company": companies[6 - number % 7]])
                try stack.context.save()
            }
        }
        return (stack, stack.another())
    }

    @Test func withoutAnOrderTheyComeInThatOfTheirRows() throws {
        let (_, context) = try mixedUp()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.fetchBatchSize = 8
            func ages(_ people: some Sequence<NSManagedObject>) -> [Int?] {
                people.map { $0.value(forKey: "age") as? Int }
            }
            let results = try context.fetchBatched(request)
            expect(ages(results), equals: Array(0..<30))
            let isEmployee = results.map { $0.entity.name == "Employee" }
            expect(isEmployee, equals: (0..<30).map { $0 % 4 == 0 })
            try expect(ages(context.fetch(request)), equals: Array(0..<30))
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            try expect(ages(context.fetch(ids).map(context.object(with:))), equals: Array(0..<30))
        }
    }

    @Test func pagesWithoutAnOrderCoverAllRowsOnce() throws {
        let (_, context) = try mixedUp()
        try context.run { () throws in
            var ages: [Int?] = []
            for offset in stride(from: 0, to: 30, by: 9) {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                (request.fetchOffset, request.fetchLimit, request.fetchBatchSize) = (offset, 9, 4)
                let page = try context.fetchBatched(request).map { $0.value(forKey: "age") as? Int }
                expect(page, equals: page.sorted { $0 ?? 0 < $1 ?? 0 })
                ages += page
            }
            expect(ages.count, equals: 30)
            expect(Set(ages), equals: Set(0..<30))
        }
    }

    @Test func aStatedOrderStays() throws {
        let (_, context) = try mixedUp()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            request.fetchBatchSize = 8
            let ages = try context.fetchBatched(request).map { $0.value(forKey: "age") as? Int }
            expect(ages, equals: (0..<30).reversed())
        }
    }

    @Test func objectsAreLetGo() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<100 { _ = stack.context.make("Note", ["text": "\(number)"]) }
            try stack.context.save()
        }
        let context = stack.another()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.fetchBatchSize = 10
            let results = try context.fetchBatched(request)
            for note in results { _ = note.text("text") }
            #expect(context.registeredObjects.count <= 20)
        }
    }
}
