import CoreData
import CoreDataTestSupport
import Testing

@Suite struct PrefetchingTests {
    private func filled() throws -> (TestStack, NSManagedObjectContext) {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            for number in 0..<10 {
                let company = context.make("Company", ["name": "C\(number)"])
                for index in 0..<3 {
                    let person = context.make("Person", ["name": "P\(number)\(index)", "company": company])
                    person.setValue(
                        Set([context.make("Project", ["title": "T\(number)\(index)"])]), forKey: "projects")
                    person.setValue(
                        ["b", "a"].map { context.make("Note", ["text": $0]) }, forKey: "notes")
                }
            }
            try context.save()
        }
        return (stack, stack.another())
    }

    @Test func toOneNeedsOneMoreStatement() throws {
        let (stack, context) = try filled()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.relationshipKeyPathsForPrefetching = ["company"]
            let count = try stack.selects {
                let names = try context.fetch(request).compactMap {
                    $0.value(forKeyPath: "company.name") as? String
                }
                expect(names.count, equals: 30)
            }
            expect(count, equals: 2)
        }
    }

    /// So many companies that one pass over the people's table is cheaper than looking up each company's.
    @Test(arguments: [nil, "name != 'C7'"]) func manySourcesGetTheirOwnMembers(_ condition: String?) throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<130 {
                let company = stack.context.make("Company", ["name": "C\(number)"])
                for index in 0..<number % 3 {
                    _ = stack.context.make("Person", ["name": "\(number).\(index)", "company": company])
                }
            }
            _ = stack.context.make("Person", ["name": "free"])
            try stack.context.save()
        }
        let context = stack.another()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
            request.predicate = condition.map { NSPredicate(format: $0) }
            request.relationshipKeyPathsForPrefetching = ["people"]
            let count = try stack.selects {
                let companies = try context.fetch(request)
                expect(companies.count, equals: (condition == nil ? 130 : 129))
                for company in companies {
                    let number = Int(company.text("name")?.dropFirst() ?? "") ?? -1
                    let people: Set<NSManagedObject> = company.relatedObjects(forKey: "people")
                    expect(
                        Set(people.compactMap { $0.text("name") }),
                        equals: Set((0..<number % 3).map { "\(number).\($0)" }))
                }
            }
            expect(count, equals: 2)
        }
    }

    @Test func toManyNestedAndOrdered() throws {
        let (stack, context) = try filled()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
            request.relationshipKeyPathsForPrefetching = ["people", "people.projects", "people.notes"]
            let count = try stack.selects {
                for company in try context.fetch(request) {
                    let people: Set<NSManagedObject> = company.relatedObjects(forKey: "people")
                    expect(people.count, equals: 3)
                    for person in people {
                        #expect(person.value(forKey: "company") as? NSManagedObject === company)
                        let titles = person.value(forKeyPath: "projects.title") as? Set<String>
                        expect(
                            titles,
                            equals: [person.text("name")?.replacingOccurrences(of: "P", with: "T") ?? ""])
                        let notes = person.value(forKey: "notes") as? NSOrderedSet
                        expect(
                            notes?.compactMap { ($0 as? NSManagedObject)?.text("text") }, equals: ["b", "a"])
                    }
                }
            }
            #expect(count <= 6)
        }
    }

    @Test func withoutPrefetchingEachObjectAsks() throws {
        let (stack, context) = try filled()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            let count = try stack.selects {
                for person in try context.fetch(request) { _ = person.value(forKeyPath: "company.name") }
            }
            expect(count, equals: 11)
        }
    }

    @Test(arguments: ["nothing", "name", "company.nothing"])
    func unknownPathThrows(path: String) throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            _ = stack.context.make("Person", ["company": stack.context.make("Company", ["name": "a"])])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.relationshipKeyPathsForPrefetching = [path]
            let thrown = error { _ = try stack.context.fetch(request) }
            #expect(thrown?.code == NSCoreDataError && thrown?.userInfo["property"] as? String == path)
            request.relationshipKeyPathsForPrefetching = []
            try expect(stack.context.fetch(request).count, equals: 1)
        }
    }
}
