import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Values that must be unique.
@Suite struct NSConstraintConflictTests {
    /// Companies are unique by name, people by age and height together, employees by salary, notes by author.
    private static func model() -> NSManagedObjectModel {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"], ["founded"]]
        model.entitiesByName["Person"]?.uniquenessConstraints = [["age", "height"]]
        model.entitiesByName["Employee"]?.uniquenessConstraints = [["salary"]]
        model.entitiesByName["Note"]?.uniquenessConstraints = [["author"]]
        return model
    }

    private func stack(_ store: RivalStore, _ policy: NSMergePolicy) throws -> TestStack {
        let stack = try TestStack(type: store.type, model: Self.model())
        stack.context.mergePolicy = policy
        return stack
    }

    private let date = Date(timeIntervalSinceReferenceDate: 5)

    @Test(arguments: RivalStore.allCases)
    func theErrorNamesEveryConflict(_ store: RivalStore) throws {
        let stack = try stack(store, .error)
        let context = stack.context
        let saved = context.make("Company", ["name": "A", "budget": Decimal(1)])
        try context.save()
        let (second, third) = (context.make("Company", ["name": "A"]), context.make("Company", ["name": "A"]))
        let pair = [1, 2].map { context.make("Company", ["name": "B\($0)", "founded": date]) }
        let person = context.make("Person", ["name": "Ada", "company": second])
        let error = try #require(thrownError { try context.save() })
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError)
        let conflicts = try #require(
            error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
        expect(conflicts.count, equals: 2)
        let byName = try #require(conflicts.first { $0.constraint == ["name"] })
        #expect(byName.databaseObject === saved && byName.conflictingObjects == [second, third])
        expect(byName.databaseSnapshot?["budget"] as? Decimal, equals: 1)
        #expect(byName.constraintValues["name"] as? String == "A" && byName.constraintValues.count == 1)
        expect(byName.conflictingSnapshots.map { $0["name"] as? String }, equals: ["A", "A"])
        let byDate = try #require(conflicts.first { $0.constraint == ["founded"] })
        #expect(byDate.databaseObject == nil && byDate.databaseSnapshot == nil)
        expect(Set(byDate.conflictingObjects), equals: Set(pair))
        expect(byDate.constraintValues["founded"] as? Date, equals: date)
        // Everything is as it was.
        expect(context.insertedObjects, equals: Set([second, third, person] + pair))
        #expect(
            second.objectID.isTemporaryID && person.value(forKey: "company") as? NSManagedObject === second)
        let count = try stack.another().all("Company").count
        #expect(!saved.hasChanges && count == 1)
    }

    @Test(arguments: RivalStore.allCases)
    func aDuplicateOfARowGivesWay(_ store: RivalStore) throws {
        let policies: [NSMergePolicy] = [
            .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        for policy in policies {
            let stack = try stack(store, policy)
            let other = stack.another()
            let old = other.make("Company", ["name": "A", "budget": Decimal(1), "founded": date])
            old.mutableSetValue(forKey: "people").add(other.make("Person", ["name": "Old"]))
            try other.save()
            let context = stack.context
            let new = context.make("Company", ["name": "A", "budget": Decimal(2)])
            let person = context.make("Person", ["name": "New", "company": new])
            try context.save()
            let trumps =
                policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
                || policy.mergeType == .overwriteMergePolicyType
            let found = try stack.another().keepingAll("Company")
            expect(found.map(\.objectID), equals: [old.objectID], "the row keeps its identity")
            expect(
                found.first?.value(forKey: "budget") as? Decimal, equals: (trumps ? 2 : 1),
                "\(policy.mergeType)")
            expect((found.first?.value(forKey: "founded") == nil), equals: trumps)
            let names = (found.first?.value(forKey: "people") as? Set<NSManagedObject>)?
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
            expect(names, equals: ["New", "Old"], "\(policy.mergeType)")
            expect((person.value(forKey: "company") as? NSManagedObject)?.objectID, equals: old.objectID)
            #expect(new.managedObjectContext == nil && !context.hasChanges)
            #expect(!context.registeredObjects.contains(new))
        }
    }

    @Test(arguments: RivalStore.allCases)
    func oneOfTheNewObjectsSurvives(_ store: RivalStore) throws {
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            let stack = try stack(store, policy)
            let companies = (1...4).map {
                stack.context.make("Company", ["name": "A", "budget": Decimal($0)])
            }
            for company in companies {
                _ = stack.context.make("Project", ["title": "P"])
                _ = stack.context.make("Person", ["company": company])
            }
            try stack.context.save()
            let found = try stack.another().keepingAll("Company")
            #expect(found.count == 1 && (found[0].value(forKey: "people") as? NSSet)?.count == 4)
            let trumps = policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
            expect(found[0].value(forKey: "budget") as? Decimal, equals: (trumps ? 4 : 1))
            #expect(!stack.context.hasChanges)
            expect(companies.filter { $0.managedObjectContext != nil }.count, equals: 1)
        }
    }

    @Test(arguments: RivalStore.allCases)
    func aSavedObjectThatTakesAnothersValue(_ store: RivalStore) throws {
        for policy in [
            NSMergePolicy.mergeByPropertyStoreTrump, .rollback, .mergeByPropertyObjectTrump, .overwrite,
        ] {
            let stack = try stack(store, policy)
            let context = stack.context
            let a = context.make("Company", ["name": "A", "budget": Decimal(1)])
            let b = context.make("Company", ["name": "B", "budget": Decimal(2)])
            let person = context.make("Person", ["name": "Ada", "company": a])
            try context.save()
            b.setValuesForKeys(["name": "A", "budget": Decimal(3)])
            try context.save()
            let names = try stack.another().keepingAll("Company").compactMap {
                ($0.value(forKey: "name") as? String).map { name in "\(name)" }
            }
            #expect(!context.hasChanges)
            switch policy.mergeType {
            case .mergeByPropertyStoreTrumpMergePolicyType:
                #expect(names.sorted() == ["A", "B"] && b.value(forKey: "budget") as? Decimal == 3)
            case .rollbackMergePolicyType:
                #expect(names.sorted() == ["A", "B"] && b.value(forKey: "budget") as? Decimal == 2)
            default:
                #expect(names == ["A"] && b.value(forKey: "budget") as? Decimal == 3)
                #expect(person.value(forKey: "company") as? NSManagedObject === b)
            }
        }
    }

    @Test(arguments: RivalStore.allCases)
    func nilNeverConflicts(_ store: RivalStore) throws {
        let stack = try stack(store, .error)
        for name in 1...3 { _ = stack.context.make("Company", ["name": "\(name)"]) }
        for _ in 1...3 { _ = stack.context.make("Person", ["age": 5]) }
        for _ in 1...3 { _ = stack.context.make("Note", ["text": "t"]) }
        try stack.context.save()
        try expect(stack.another().all("Person").count, equals: 3)
        try expect(stack.another().all("Note").count, equals: 3)
    }

    @Test(arguments: RivalStore.allCases)
    func severalAttributesAndSubentities(_ store: RivalStore) throws {
        let stack = try stack(store, .mergeByPropertyObjectTrump)
        let context = stack.context
        let old = context.make("Person", ["age": 5, "height": 1.0, "name": "old"])
        _ = context.make("Person", ["age": 5, "height": 2.0])
        _ = context.make("Person", ["age": 6, "height": 1.0])
        try context.save()
        // The constraint of the superentity holds for the subentity's objects too.
        _ = context.make("Employee", ["age": 5, "height": 1.0, "name": "new", "salary": 10])
        try context.save()
        try expect(stack.another().all("Person").count, equals: 3)
        try expect(stack.stored(old).value(forKey: "name") as? String, equals: "new")
        let boss = context.make("Employee", ["salary": 20, "name": "boss"])
        try context.save()
        _ = context.make("Employee", ["salary": 20, "name": "chief"])
        _ = context.make("Employee", ["salary": 30, "name": "other"])
        try context.save()
        try expect(stack.stored(boss).value(forKey: "name") as? String, equals: "chief")
        try expect(stack.another().all("Employee").count, equals: 2)
    }

    @Test(arguments: RivalStore.allCases)
    func relationshipsCanBeUnique(_ store: RivalStore) throws {
        let stack = try stack(store, .error)
        let context = stack.context
        let person = context.make("Person", ["name": "Ada"])
        let first = context.make("Note", ["text": "1", "author": person])
        try context.save()
        let second = context.make("Note", ["text": "2", "author": person])
        let error = thrownError { try context.save() }
        let conflict = (error?.userInfo["conflictList"] as? [NSConstraintConflict])?.first
        #expect(conflict?.databaseObject === first && conflict?.conflictingObjects == [second])
        expect(conflict?.constraintValues["author"] as? NSManagedObjectID, equals: person.objectID)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        try expect(stack.stored(first).value(forKey: "text") as? String, equals: "2")
        try expect(stack.another().all("Note").count, equals: 1)
    }

    @Test(arguments: RivalStore.allCases)
    func valuesMayChangePlacesAndBeTakenOver(_ store: RivalStore) throws {
        let stack = try stack(store, .error)
        let context = stack.context
        let companies = ["A", "B", "C"].map { context.make("Company", ["name": $0]) }
        try context.save()
        for (company, name) in zip(companies, ["B", "C", "A"]) { company.setValue(name, forKey: "name") }
        try context.save()
        try expect(
            companies.map { try stack.stored($0).value(forKey: "name") as? String }, equals: ["B", "C", "A"])
        context.delete(companies[0])
        let heir = context.make("Company", ["name": "B"])
        companies[1].setValue("D", forKey: "name")
        _ = context.make("Company", ["name": "C"])
        try context.save()
        try expect(stack.stored(heir).value(forKey: "name") as? String, equals: "B")
        let names = try stack.another().all("Company").compactMap { $0.value(forKey: "name") as? String }
        expect(names.sorted(), equals: ["A", "B", "C", "D"])
        // Exchanged composite values.
        let people = [1.0, 2.0].map { context.make("Person", ["age": 1, "height": $0]) }
        try context.save()
        for (person, height) in zip(people, [2.0, 1.0]) { person.setValue(height, forKey: "height") }
        try context.save()
        try expect(people.map { try stack.stored($0).value(forKey: "height") as? Double }, equals: [2, 1])
    }

    @Test(arguments: RivalStore.allCases)
    func oneObjectUnderSeveralConstraints(_ store: RivalStore) throws {
        let stack = try stack(store, .mergeByPropertyStoreTrump)
        let context = stack.context
        let a = context.make("Company", ["name": "A"])
        _ = context.make("Company", ["name": "B", "founded": date])
        try context.save()
        let new = context.make("Company", ["name": "A", "founded": date])
        let person = context.make("Person", ["company": new])
        try context.save()
        #expect(try stack.another().all("Company").count == 2 && !context.hasChanges)
        #expect(person.value(forKey: "company") as? NSManagedObject === a)
    }

    @Test(arguments: RivalStore.allCases)
    func manyToManyAndOrderedRelationshipsMoveToTheSurvivor(_ store: RivalStore) throws {
        let stack = try stack(store, .mergeByPropertyObjectTrump)
        let context = stack.context
        let old = context.make("Person", ["age": 1, "height": 1.0, "name": "old"])
        let project = context.make("Project", ["title": "P"])
        old.mutableSetValue(forKey: "projects").add(project)
        try context.save()
        let new = context.make("Person", ["age": 1, "height": 1.0, "name": "new"])
        new.mutableSetValue(forKey: "projects").addObjects(from: [
            project, context.make("Project", ["title": "Q"]),
        ])
        try context.save()
        let stored = try stack.stored(old)
        expect((stored.value(forKey: "projects") as? NSSet)?.count, equals: 2)
        expect(stored.value(forKey: "name") as? String, equals: "new")
        expect((project.value(forKey: "members") as? Set<NSManagedObject>), equals: [old])
        expect((try stack.stored(project).value(forKey: "members") as? NSSet)?.count, equals: 1)
        #expect(new.managedObjectContext == nil)
    }

    @Test func importingTwiceLeavesOneOfEach() throws {
        let stack = try stack(.sqlite, .mergeByPropertyObjectTrump)
        for round in 1...2 {
            let context = stack.another()
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            for number in 0..<1000 {
                _ = context.make("Company", ["name": "C\(number)", "budget": Decimal(round)])
            }
            try context.save()
            #expect(!context.hasChanges)
        }
        let all = try stack.another().keepingAll("Company")
        #expect(all.count == 1000 && all.allSatisfy { $0.value(forKey: "budget") as? Decimal == 2 })
    }

    @Test func stringsDifferByTheirBytes() throws {
        let stack = try stack(.sqlite, .error)
        for name in ["\u{E9}", "e\u{301}"] { _ = stack.context.make("Company", ["name": name]) }
        try stack.context.save()
        try expect(stack.another().all("Company").count, equals: 2)
    }

    @Test func observersLearnOfTheLoser() throws {
        let stack = try stack(.sqlite, .mergeByPropertyStoreTrump)
        _ = stack.context.make("Company", ["name": "A"])
        try stack.context.save()
        let new = stack.context.make("Company", ["name": "A"])
        stack.context.processPendingChanges()
        nonisolated(unsafe) var deleted: Set<NSManagedObject> = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { note in
            deleted.formUnion(note.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? [])
        }
        try stack.context.save()
        NotificationCenter.default.removeObserver(token)
        expect(deleted, equals: [new])
    }
}

extension NSManagedObjectContext {
    /// All objects of an entity, with their context kept alive.
    func keepingAll(_ entity: String) throws -> [NSManagedObject] {
        try all(entity, sort: "name").map { try keeping($0.objectID) }
    }
}

extension TestStack {
    /// The object as a context sees it that knows nothing yet.
    func stored(_ object: NSManagedObject) throws -> NSManagedObject {
        try another().keeping(object.objectID)
    }
}
