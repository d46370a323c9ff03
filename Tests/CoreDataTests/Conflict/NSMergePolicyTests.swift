import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The five standard policies, property by property.
@Suite struct NSMergePolicyTests {
    @Test func thePoliciesHaveTwoNames() {
        let policies: [(NSMergePolicy, NSMergePolicy, NSMergePolicyType)] = [
            (NSErrorMergePolicy, .error, .errorMergePolicyType),
            (
                NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrump,
                .mergeByPropertyStoreTrumpMergePolicyType
            ),
            (
                NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrump,
                .mergeByPropertyObjectTrumpMergePolicyType
            ),
            (NSOverwriteMergePolicy, .overwrite, .overwriteMergePolicyType),
            (NSRollbackMergePolicy, .rollback, .rollbackMergePolicyType),
        ]
        for (constant, property, type) in policies {
            #expect(constant === property && constant.mergeType == type)
        }
    }

    @Test(arguments: RivalStore.allCases)
    func theErrorPolicyFailsAndChangesNothing(_ store: RivalStore) throws {
        let rivals = try Rivals(store, .error)
        rivals.theirs.setValue("Eve", forKey: "name")
        try rivals.other.save()
        rivals.mine.setValue("Bob", forKey: "name")
        let error = try #require(thrownError { try rivals.context.save() })
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        let conflict = try #require(conflicts?.first)
        #expect(conflict.sourceObject === rivals.mine && conflicts?.count == 1)
        #expect((conflict.oldVersionNumber, conflict.newVersionNumber) == (1, 2))
        expect(conflict.objectSnapshot?["name"] as? String, equals: "Ada")
        expect(conflict.cachedSnapshot?["name"] as? String, equals: "Eve")
        #expect(conflict.cachedSnapshot?["company"] is NSNull)
        #expect(conflict.persistedSnapshot == nil)
        #expect(rivals.mine.value(forKey: "name") as? String == "Bob" && rivals.mine.isUpdated)
        expect(rivals.mine.committedValues(forKeys: ["name"])["name"] as? String, equals: "Ada")
        expect(thrownError { try rivals.context.save() }?.code, equals: NSManagedObjectMergeError)
        try expect(rivals.stored(rivals.mine).value(forKey: "name") as? String, equals: "Eve")
    }

    @Test(arguments: RivalStore.allCases)
    func samePropertyAndOthers(_ store: RivalStore) throws {
        // The object's values afterwards: name (changed on both sides), age (there only), height (here only).
        let expected: [(NSMergePolicy, String, Int, Double)] = [
            (.mergeByPropertyStoreTrump, "Eve", 31, 2), (.mergeByPropertyObjectTrump, "Bob", 31, 2),
            (.overwrite, "Bob", 30, 2), (.rollback, "Eve", 31, 1.5),
        ]
        for (policy, name, age, height) in expected {
            let rivals = try Rivals(store, policy)
            rivals.theirs.setValuesForKeys(["name": "Eve", "age": 31])
            try rivals.other.save()
            rivals.mine.setValuesForKeys(["name": "Bob", "height": 2.0])
            try rivals.context.save()
            #expect(!rivals.context.hasChanges && rivals.mine.changedValues().isEmpty)
            for object in [rivals.mine, try rivals.stored(rivals.mine)] {
                expect(object.value(forKey: "name") as? String, equals: name, "\(policy.mergeType)")
                expect(object.value(forKey: "age") as? Int, equals: age, "\(policy.mergeType)")
                expect(object.value(forKey: "height") as? Double, equals: height, "\(policy.mergeType)")
            }
            rivals.mine.setValue("Zoe", forKey: "name")
            try rivals.context.save()
            try expect(rivals.stored(rivals.mine).value(forKey: "name") as? String, equals: "Zoe")
        }
    }

    @Test(arguments: RivalStore.allCases)
    func aToOneRelationshipOnBothSides(_ store: RivalStore) throws {
        for policy in [
            NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ] {
            let rivals = try Rivals(store, policy)
            let (mineA, _) = try rivals.pair("Company", ["name": "A"])
            let (mineB, theirB) = try rivals.pair("Company", ["name": "B"])
            rivals.theirs.setValue(theirB, forKey: "company")
            try rivals.other.save()
            _ = mineB.mutableSetValue(forKey: "people").count
            rivals.mine.setValue(mineA, forKey: "company")
            try rivals.context.save()
            let wins =
                policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
                || policy.mergeType == .overwriteMergePolicyType
            #expect(rivals.mine.value(forKey: "company") as? NSManagedObject === (wins ? mineA : mineB))
            expect(
                (mineA.value(forKey: "people") as? NSSet)?.count, equals: (wins ? 1 : 0),
                "\(policy.mergeType)")
            expect(
                (mineB.value(forKey: "people") as? NSSet)?.count, equals: (wins ? 0 : 1),
                "\(policy.mergeType)")
            let stored = try rivals.stored(rivals.mine)
            expect(stored.value(forKeyPath: "company.name") as? String, equals: (wins ? "A" : "B"))
            #expect(!rivals.context.hasChanges)
        }
    }

    @Test(arguments: RivalStore.allCases)
    func aToOneRelationshipWithAToOneInverse(_ store: RivalStore) throws {
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            let rivals = try Rivals(store, policy)
            let (mineA, _) = try rivals.pair("Person", ["name": "A"])
            let (mineB, theirB) = try rivals.pair("Person", ["name": "B"])
            rivals.theirs.setValue(theirB, forKey: "spouse")
            try rivals.other.save()
            rivals.mine.setValue(mineA, forKey: "spouse")
            try rivals.context.save()
            let wins = policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
            #expect(rivals.mine.value(forKey: "spouse") as? NSManagedObject === (wins ? mineA : mineB))
            let (a, b) = (try rivals.stored(mineA), try rivals.stored(mineB))
            expect((a.value(forKey: "spouseOf") == nil), equals: !wins)
            expect((b.value(forKey: "spouseOf") == nil), equals: wins)
            expect((mineA.value(forKey: "spouseOf") == nil), equals: !wins)
            expect((mineB.value(forKey: "spouseOf") == nil), equals: wins)
        }
    }

    @Test(arguments: RivalStore.allCases)
    func toManyRelationshipsMergeMemberByMember(_ store: RivalStore) throws {
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite] {
            let rivals = try Rivals(store, policy)
            rivals.theirs.mutableSetValue(forKey: "projects").add(
                rivals.other.make("Project", ["title": "T"]))
            rivals.theirs.mutableOrderedSetValue(forKey: "notes").add(
                rivals.other.make("Note", ["text": "t"]))
            try rivals.other.save()
            rivals.mine.mutableSetValue(forKey: "projects").add(
                rivals.context.make("Project", ["title": "M"]))
            rivals.mine.mutableOrderedSetValue(forKey: "notes").add(
                rivals.context.make("Note", ["text": "m"]))
            try rivals.context.save()
            for object in [rivals.mine, try rivals.stored(rivals.mine)] {
                let titles = (object.value(forKey: "projects") as? Set<NSManagedObject>)?
                    .compactMap { $0.value(forKey: "title") as? String }.sorted()
                expect(titles, equals: ["M", "T"], "\(policy.mergeType)")
                let notes = (object.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject]
                expect(
                    Set(notes?.compactMap { $0.value(forKey: "text") as? String } ?? []), equals: ["m", "t"])
            }
            #expect(!rivals.context.hasChanges)
        }
    }

    @Test(arguments: RivalStore.allCases)
    func rollbackDropsToManyChanges(_ store: RivalStore) throws {
        let rivals = try Rivals(store, .rollback)
        let (project, _) = try rivals.pair("Project", ["title": "P"])
        rivals.theirs.setValue("Eve", forKey: "name")
        try rivals.other.save()
        rivals.mine.mutableSetValue(forKey: "projects").add(project)
        try rivals.context.save()
        expect((rivals.mine.value(forKey: "projects") as? NSSet)?.count, equals: 0)
        expect((project.value(forKey: "members") as? NSSet)?.count, equals: 0)
        expect((try rivals.stored(project).value(forKey: "members") as? NSSet)?.count, equals: 0)
        #expect(rivals.mine.value(forKey: "name") as? String == "Eve" && !rivals.context.hasChanges)
    }

    @Test(arguments: RivalStore.allCases)
    func deletedHereChangedThere(_ store: RivalStore) throws {
        for policy in [
            NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ] {
            let rivals = try Rivals(store, policy)
            rivals.theirs.setValue("Eve", forKey: "name")
            try rivals.other.save()
            rivals.context.delete(rivals.mine)
            try rivals.context.save()
            let stays = policy.mergeType == .rollbackMergePolicyType
            try expect(
                rivals.stack.another().all("Person").count, equals: (stays ? 1 : 0), "\(policy.mergeType)")
            #expect(!rivals.mine.isDeleted && !rivals.context.hasChanges)
            if stays { expect(rivals.mine.value(forKey: "name") as? String, equals: "Eve") }
        }
        let rivals = try Rivals(store, .error)
        rivals.theirs.setValue("Eve", forKey: "name")
        try rivals.other.save()
        rivals.context.delete(rivals.mine)
        expect(thrownError { try rivals.context.save() }?.code, equals: NSManagedObjectMergeError)
        #expect(rivals.mine.isDeleted && rivals.context.deletedObjects == [rivals.mine])
    }

    @Test(arguments: RivalStore.allCases)
    func changedHereDeletedThere(_ store: RivalStore) throws {
        for policy in [
            NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ] {
            let rivals = try Rivals(store, policy)
            let id = rivals.mine.objectID
            rivals.other.delete(rivals.theirs)
            try rivals.other.save()
            rivals.mine.setValue("Bob", forKey: "name")
            try rivals.context.save()
            let stays =
                policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
                || policy.mergeType == .overwriteMergePolicyType
            let found = try rivals.stack.another().keepingAll("Person")
            expect(found.map(\.objectID), equals: (stays ? [id] : []), "\(policy.mergeType)")
            #expect(!rivals.context.hasChanges)
            expect((rivals.context.registeredObject(for: id) === rivals.mine), equals: stays)
            if stays {
                rivals.mine.setValue("Zoe", forKey: "name")
                try rivals.context.save()
                try expect(rivals.stored(rivals.mine).value(forKey: "name") as? String, equals: "Zoe")
                try expect(rivals.stored(rivals.mine).value(forKey: "age") as? Int, equals: 30)
            }
        }
        let rivals = try Rivals(store, .error)
        rivals.other.delete(rivals.theirs)
        try rivals.other.save()
        rivals.mine.setValue("Bob", forKey: "name")
        let error = thrownError { try rivals.context.save() }
        let conflict = (error?.userInfo["conflictList"] as? [NSMergeConflict])?.first
        #expect(error?.code == NSManagedObjectMergeError && conflict?.newVersionNumber == 0)
        #expect(conflict?.cachedSnapshot == nil && conflict?.persistedSnapshot == nil)
        #expect(rivals.mine.isUpdated && rivals.mine.value(forKey: "name") as? String == "Bob")
    }

    @Test(arguments: RivalStore.allCases)
    func deletedOnBothSides(_ store: RivalStore) throws {
        for policy in [
            NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ] {
            let rivals = try Rivals(store, policy)
            rivals.other.delete(rivals.theirs)
            try rivals.other.save()
            rivals.context.delete(rivals.mine)
            try rivals.context.save()
            #expect(!rivals.context.hasChanges && rivals.context.registeredObjects.isEmpty)
            #expect(try rivals.stack.another().all("Person").isEmpty)
        }
    }

    @Test func anotherCoordinatorsRowIsThePersistedOne() throws {
        let rivals = try Rivals(.sqlite, .error)
        let foreign = NSPersistentStoreCoordinator(
            managedObjectModel: rivals.stack.coordinator.managedObjectModel)
        try foreign.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: rivals.stack.url, options: nil)
        let far = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        far.persistentStoreCoordinator = foreign
        try far.all("Person")[0].setValue("Far", forKey: "name")
        try far.save()
        rivals.mine.setValue("Bob", forKey: "name")
        func conflict() -> NSMergeConflict? {
            let error = thrownError { try rivals.context.save() }
            return (error?.userInfo["conflictList"] as? [NSMergeConflict])?.first
        }
        expect(conflict()?.cachedSnapshot?["name"] as? String, equals: "Ada")
        expect(conflict()?.persistedSnapshot?["name"] as? String, equals: "Far")
        expect(
            (thrownError { try rivals.context.save() } as? CocoaError)?.persistentStoreSaveConflicts?.count,
            equals: 1)
        // The coordinator's own write is its own although others have written before.
        rivals.other.refresh(rivals.theirs, mergeChanges: false)
        rivals.theirs.setValue("Eve", forKey: "name")
        try rivals.other.save()
        #expect(
            conflict()?.cachedSnapshot?["name"] as? String == "Eve" && conflict()?.persistedSnapshot == nil)
    }

    @Test(arguments: RivalStore.allCases)
    func severalConflictsAreSettledTogether(_ store: RivalStore) throws {
        let rivals = try Rivals(store, .error)
        let pairs = try (0..<40).map { try rivals.pair("Project", ["title": "\($0)"]) }
        for (number, pair) in pairs.enumerated() {
            pair.1.setValue("t\(number)", forKey: "title")
        }
        try rivals.other.save()
        for (number, pair) in pairs.enumerated() { pair.0.setValue("m\(number)", forKey: "title") }
        let error = thrownError { try rivals.context.save() }
        expect((error?.userInfo["conflictList"] as? [NSMergeConflict])?.count, equals: 40)
        rivals.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try rivals.context.save()
        let titles = try rivals.stack.another().all("Project").compactMap {
            $0.value(forKey: "title") as? String
        }
        expect(Set(titles), equals: Set((0..<40).map { "m\($0)" }))
    }

    @Test(arguments: RivalStore.allCases)
    func checkedObjectsConflictWithoutAChange(_ store: RivalStore) throws {
        let rivals = try Rivals(store, .error)
        rivals.theirs.setValue("Eve", forKey: "name")
        try rivals.other.save()
        _ = rivals.context.make("Project", ["title": "P"])
        rivals.context.detectConflicts(for: rivals.mine)
        let error = thrownError { try rivals.context.save() }
        #expect((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first?.sourceObject === rivals.mine)
        #expect(try rivals.stack.another().all("Project").isEmpty)
        rivals.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try rivals.context.save()
        #expect(rivals.mine.value(forKey: "name") as? String == "Eve" && !rivals.context.hasChanges)
        try expect(rivals.stack.another().all("Project").count, equals: 1)
        // Checked once: the mark is gone.
        rivals.other.refresh(rivals.theirs, mergeChanges: false)
        rivals.theirs.setValue("Zoe", forKey: "name")
        try rivals.other.save()
        rivals.context.mergePolicy = NSMergePolicy.error
        _ = rivals.context.make("Project", ["title": "Q"])
        try rivals.context.save()
    }

    @Test func onlyMergePoliciesAreAccepted() async {
        await #expect(processExitsWith: .failure) {
            NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType).mergePolicy = "error"
        }
    }

    @Test func aFaultCanBeDeletedWithoutBeingRead() throws {
        let rivals = try Rivals(.sqlite, .error)
        let third = rivals.stack.another()
        third.delete(third.object(with: rivals.mine.objectID))
        try third.save()
        #expect(try rivals.stack.another().all("Person").isEmpty)
    }
}
