// Batch deletions and the delete rules.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSBatchDeleteRequestTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType]

    @Test(arguments: types)
    func rulesAreApplied(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            let company = context.make("Company", ["name": "Acme"])
            let people = (0..<4).map { context.make("Employee", ["name": "n\($0)", "age": $0]) }
            let project = context.make("Project", ["title": "p"])
            for person in people {
                person.setValue(company, forKey: "company")
                person.setValue(Set([project]), forKey: "projects")
                let notes = ["a", "b"].map { context.make("Note", ["text": $0]) }
                person.setValue(NSOrderedSet(array: notes), forKey: "notes")
                if person !== people[0] { person.setValue(people[0], forKey: "manager") }
            }
            people[1].setValue(people[0], forKey: "spouse")
            try context.save()
            #expect(try context.batchDelete("Person", "age == 0") == 3)
            context.reset()
            #expect(try context.all("Note").count == 6)
            let rest = try context.all("Employee", sort: "age")
            #expect(rest.allSatisfy { $0.value(forKey: "manager") == nil })
            #expect(rest[0].value(forKey: "spouse") == nil)
            #expect((try context.all("Project")[0].value(forKey: "members") as? NSSet)?.count == 3)
            #expect((try context.all("Company")[0].value(forKey: "people") as? NSSet)?.count == 3)
            #expect(try context.batchDelete("Company") == 1)
            context.reset()
            #expect(try context.all("Person", "company == nil").count == 3)
        }
    }

    @Test(arguments: types)
    func denyAndMandatoryInversesForbidTheDeletion(_ type: String) throws {
        let stack = try TestStack(type: type, model: BatchModel.make())
        let context = stack.context
        try context.run {
            let room = context.make("Room", ["name": "r"])
            let shelf = context.make("Shelf", ["name": "s", "room": room])
            _ = context.make("Book", ["title": "t", "shelf": shelf])
            try context.save()
            let denied = #expect(throws: CocoaError.self) { try context.batchDelete("Shelf") }
            #expect(denied?.code.rawValue == NSValidationRelationshipDeniedDeleteError)
            #expect(denied?.localizedDescription.contains("Shelf.books") == true)
            let missed = #expect(throws: CocoaError.self) { try context.batchDelete("Room") }
            #expect(missed?.code.rawValue == NSPersistentStoreSaveConflictsError)
            #expect(missed?.localizedDescription.contains("room") == true)
            #expect(try context.batchDelete("Book") == 1)
            #expect(try context.batchDelete("Shelf") == 1)
            #expect(try context.batchDelete("Room") == 1)
        }
    }

    @Test(arguments: types)
    func sortLimitAndOffsetChooseTheRows(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            for number in 0..<6 { _ = context.make("Person", ["age": number]) }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            (request.fetchLimit, request.fetchOffset) = (2, 1)
            try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            context.reset()
            #expect(
                try context.all("Person", sort: "age").map { $0.value(forKey: "age") as? Int } == [
                    0, 1, 2, 5,
                ])
        }
    }

    @Test
    func identitiesMustBeOfOneEntityAndSaved() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run {
            let objects = [context.make("Person"), context.make("Employee")]
            try context.save()
            #expect(throws: CocoaError.self) {
                try context.execute(NSBatchDeleteRequest(objectIDs: objects.map(\.objectID)))
            }
            #expect(throws: CocoaError.self) {
                try context.execute(NSBatchDeleteRequest(objectIDs: [context.make("Person").objectID]))
            }
            let coordinator = try #require(context.persistentStoreCoordinator)
            let request = NSBatchDeleteRequest(objectIDs: [objects[1].objectID])
            request.resultType = .resultTypeCount
            let result = try coordinator.execute(request, with: context)
            #expect((result as? NSBatchDeleteResult)?.result as? Int == 1)
            try context.execute(NSBatchDeleteRequest(objectIDs: []))
        }
    }

    /// The same rows go, and the same values change, whether batches or objects do it.
    @Test(arguments: 0..<20)
    func batchesDoWhatObjectsDo(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stacks = [try TestStack(), try TestStack(type: NSInMemoryStoreType), try TestStack()]
        let edges = (0..<20).map { _ in
            (Int.random(in: 0..<12, using: &random), Int.random(in: 0..<12, using: &random))
        }
        for stack in stacks { try stack.context.run { try build(stack.context, edges) } }
        let limit = Int.random(in: 2..<10, using: &random)
        for (number, stack) in stacks.enumerated() {
            let context = stack.context
            try context.run {
                if number < 2 {
                    try context.batchDelete("Person", "age < \(limit) AND age > 1")
                    try context.batchUpdate(
                        "Person", "SUBQUERY(notes, $n, $n.text != nil).@count > 0", ["level": 5])
                } else {
                    for person in try context.all("Person", "age < \(limit) AND age > 1") {
                        context.delete(person)
                    }
                    try context.save()
                    for person in try context.all("Person", "notes.@count > 0") {
                        person.setValue(5, forKey: "level")
                    }
                    try context.save()
                }
                context.reset()
            }
        }
        let pictures = try stacks.map { stack in try stack.context.run { try picture(stack.context) } }
        #expect(pictures[0] == pictures[2])
        #expect(pictures[1] == pictures[2])
        #expect(try stacks[0].coordinator.verify(stacks[0].coordinator.persistentStores[0]) == [])
    }

    private func build(_ context: NSManagedObjectContext, _ edges: [(Int, Int)]) throws {
        let people = (0..<12).map { context.make("Employee", ["name": "n\($0)", "age": $0]) }
        let projects = (0..<12).map { context.make("Project", ["title": "p\($0)"]) }
        for (a, b) in edges {
            people[a].mutableSetValue(forKey: "projects").add(projects[b])
            people[b].setValue(people[a], forKey: "manager")
            people[a].setValue(people[b], forKey: "spouse")
            context.make("Note", ["text": "\(a)-\(b)"]).setValue(people[b], forKey: "author")
        }
        try context.save()
    }

    private func picture(_ context: NSManagedObjectContext) throws -> [String] {
        var lines = try context.all("Employee", sort: "age").map { person -> String in
            let projects = person.value(forKey: "projects") as? Set<NSManagedObject> ?? []
            let names = ["manager", "spouse", "spouseOf"].map {
                (person.value(forKey: $0) as? NSManagedObject)?.text("name") ?? "-"
            }
            let notes = (person.value(forKey: "notes") as? NSOrderedSet)?.array ?? []
            return "\(person.text("name") ?? "") \(person.value(forKey: "level") ?? "nil") \(names) "
                + "\(projects.compactMap { $0.text("title") }.sorted()) \(notes.count)"
        }
        lines += try context.all("Note", sort: "text").map { $0.text("text") ?? "" }
        return lines
    }
}
