// Batch deletions and the delete rules.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSBatchDeleteRequestTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType] + StoreKind.serverTypes

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
            try expect(context.batchDelete("Person", "age == 0"), equals: 3)
            context.reset()
            try expect(context.all("Note").count, equals: 6)
            let rest = try context.all("Employee", sort: "age")
            #expect(rest.allSatisfy { $0.value(forKey: "manager") == nil })
            #expect(rest[0].value(forKey: "spouse") == nil)
            expect((try context.all("Project")[0].value(forKey: "members") as? NSSet)?.count, equals: 3)
            expect((try context.all("Company")[0].value(forKey: "people") as? NSSet)?.count, equals: 3)
            try expect(context.batchDelete("Company"), equals: 1)
            context.reset()
            try expect(context.all("Person", "company == nil").count, equals: 3)
        }
    }

    /// Each pair of friends stands in the join table twice.
    @Test(arguments: types)
    func pairsOfARelationshipThatIsItsOwnInverseGoBothWays(_ type: String) throws {
        let person = NSEntityDescription("Person", [NSAttributeDescription("name", .string)])
        let friends = NSRelationshipDescription()
        (friends.name, friends.destinationEntity, friends.isOptional) = ("friends", person, true)
        friends.inverseRelationship = friends
        person.properties.append(friends)
        let model = NSManagedObjectModel()
        model.entities = [person]
        let stack = try TestStack(type: type, model: model)
        let context = stack.context
        try context.run {
            let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
            people[0].setValue(Set(people[1...]), forKey: "friends")
            people[1].setValue(Set([people[0], people[2]]), forKey: "friends")
            try context.save()
            try expect(context.batchDelete("Person", "name == 'a'"), equals: 1)
            context.reset()
            try expect(context.all("Person", "friends.@count == 1").count, equals: 2)
            let rest = try context.all("Person", sort: "name")
            expect(rest[0].value(forKey: "friends") as? Set<NSManagedObject>, equals: [rest[1]])
            expect(rest[1].value(forKey: "friends") as? Set<NSManagedObject>, equals: [rest[0]])
            try expect(context.batchDelete("Person", "name == 'b'"), equals: 1)
            try expect(context.all("Person", "friends.@count > 0").count, equals: 0)
        }
    }

    @Test(arguments: types)
    func aChainGoesInOneStatementForEachRow(_ type: String) throws {
        let stack = try TestStack(type: type, model: UndoModel.make())
        let context = stack.context
        try context.run {
            let nodes = (0..<300).map { context.node("n\($0)") }
            for (node, next) in zip(nodes, nodes.dropFirst()) { next.setValue(node, forKey: "whole") }
            try context.save()
            context.reset()
            guard type == NSSQLiteStoreType else {
                try expect(context.batchDelete("Node", "label == 'n0'"), equals: 300)
                return
            }
            var removed = 0
            let statements = try stack.statements {
                removed = try context.batchDelete("Node", "label == 'n0'")
            }
            expect(removed, equals: 300)
            let cascades = statements.filter { $0.hasPrefix("INSERT OR IGNORE INTO temp.Z_DOOMED") }
            #expect(cascades.count <= 302 && Set(cascades).count <= 3)
            expect(statements.count { $0.contains("INDEX") }, equals: 2)
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
            expect(denied?.code.rawValue, equals: NSValidationRelationshipDeniedDeleteError)
            expect(denied?.localizedDescription.contains("Shelf.books"), equals: true)
            let missed = #expect(throws: CocoaError.self) { try context.batchDelete("Room") }
            expect(missed?.code.rawValue, equals: NSPersistentStoreSaveConflictsError)
            expect(missed?.localizedDescription.contains("room"), equals: true)
            try expect(context.batchDelete("Book"), equals: 1)
            try expect(context.batchDelete("Shelf"), equals: 1)
            try expect(context.batchDelete("Room"), equals: 1)
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
            try expect(
                context.all("Person", sort: "age").map { $0.value(forKey: "age") as? Int },
                equals: [
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
            expect((result as? NSBatchDeleteResult)?.result as? Int, equals: 1)
            try context.execute(NSBatchDeleteRequest(objectIDs: []))
        }
    }

    /// Rows that no delete rule ties to others: only the wanted entity's go, with their files.
    @Test(arguments: types)
    func rowsWithoutTiesGo(_ type: String) throws {
        let scan = NSEntityDescription(
            "Scan",
            NSAttributeDescription.all(("number", .integer32AttributeType), ("title", .stringAttributeType)))
        let picture = NSAttributeDescription("picture", .binaryDataAttributeType)
        picture.allowsExternalBinaryDataStorage = true
        scan.properties.append(picture)
        let copy = NSEntityDescription("Copy", [])
        scan.subentities = [copy]
        let model = NSManagedObjectModel()
        model.entities = [scan, copy]
        let stack = try TestStack(type: type, model: model)
        let context = stack.context
        func files() -> Int {
            let folder = stack.folder.file(".Company_SUPPORT/_EXTERNAL_DATA")
            return (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.count ?? 0
        }
        try context.run {
            let large = Data(repeating: 7, count: 200_000)
            for number in 0..<8 {
                _ = context.make(
                    number % 2 == 0 ? "Scan" : "Copy", ["number": number, "picture": large, "title": "t"])
            }
            try context.save()
            let before = files()
            expect(before, equals: (type == NSSQLiteStoreType ? 8 : 0))
            try expect(context.batchDelete("Copy", "number < 4"), equals: 2)
            expect(files(), equals: before - (before == 0 ? 0 : 2))
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Scan")
            request.predicate = NSPredicate(format: "number >= 4 AND title == 't'")
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeObjectIDs
            let result = try context.execute(delete) as? NSBatchDeleteResult
            let ids = try #require(result?.result as? [NSManagedObjectID])
            expect(ids.map { $0.entity.name ?? "" }.sorted(), equals: ["Copy", "Copy", "Scan", "Scan"])
            context.reset()
            try expect(
                context.all("Scan", sort: "number").map { $0.value(forKey: "number") as? Int },
                equals: [0, 2])
            try expect(context.batchDelete("Scan"), equals: 2)
            expect(files(), equals: 0)
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
        expect(pictures[0], equals: pictures[2])
        expect(pictures[1], equals: pictures[2])
        try expect(stacks[0].coordinator.verify(stacks[0].coordinator.persistentStores[0]), equals: [])
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
