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
                #expect(names.count == 30)
            }
            #expect(count == 2)
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
                    #expect(people.count == 3)
                    for person in people {
                        #expect(person.value(forKey: "company") as? NSManagedObject === company)
                        let titles = person.value(forKeyPath: "projects.title") as? Set<String>
                        #expect(
                            titles == [person.text("name")?.replacingOccurrences(of: "P", with: "T") ?? ""])
                        let notes = person.value(forKey: "notes") as? NSOrderedSet
                        #expect(notes?.compactMap { ($0 as? NSManagedObject)?.text("text") } == ["b", "a"])
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
            #expect(count == 11)
        }
    }

    @Test func unknownPathRaises() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            _ = stack.context.make("Person")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.relationshipKeyPathsForPrefetching = ["nothing"]
            _ = try stack.context.fetch(request)
        }
    }
}
