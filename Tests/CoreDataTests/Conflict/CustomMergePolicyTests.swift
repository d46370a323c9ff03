import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Policies of a client's own.
@Suite struct CustomMergePolicyTests {
    /// Does what a test says, before or instead of `super`.
    private final class Policy: NSMergePolicy, @unchecked Sendable {
        var locking: (([NSMergeConflict], ([NSMergeConflict]) throws -> Void) throws -> Void)?
        var constraint: (([NSConstraintConflict], ([NSConstraintConflict]) throws -> Void) throws -> Void)?
        var general: (([Any], ([Any]) throws -> Void) throws -> Void)?

        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            guard let locking else { return try super.resolve(optimisticLockingConflicts: list) }
            try locking(list) { try super.resolve(optimisticLockingConflicts: $0) }
        }

        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            guard let constraint else { return try super.resolve(constraintConflicts: list) }
            try constraint(list) { try super.resolve(constraintConflicts: $0) }
        }

        override func resolve(mergeConflicts list: [Any]) throws {
            guard let general else { return try super.resolve(mergeConflicts: list) }
            try general(list) { try super.resolve(mergeConflicts: $0) }
        }
    }

    private func rivals(_ policy: Policy, _ store: RivalStore = .sqlite) throws -> Rivals {
        let rivals = try Rivals(store, policy)
        rivals.theirs.setValuesForKeys(["name": "Eve", "age": 31])
        try rivals.other.save()
        rivals.mine.setValuesForKeys(["name": "Bob", "height": 2.0])
        return rivals
    }

    @Test(arguments: RivalStore.allCases)
    func editingAfterARollbackTakesEffect(_ store: RivalStore) throws {
        let policy = Policy(merge: .rollbackMergePolicyType)
        policy.locking = { list, resolve in
            try resolve(list)
            for conflict in list { conflict.sourceObject.setValue(99, forKey: "age") }
        }
        let rivals = try rivals(policy, store)
        try rivals.context.save()
        let stored = try rivals.stored(rivals.mine)
        #expect(stored.value(forKey: "name") as? String == "Eve" && stored.value(forKey: "age") as? Int == 99)
        #expect(!rivals.context.hasChanges && rivals.mine.value(forKey: "height") as? Double == 1.5)
    }

    @Test(arguments: RivalStore.allCases)
    func editingAfterSuperTakesEffect(_ store: RivalStore) throws {
        let policy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        policy.locking = { list, resolve in
            try resolve(list)
            for conflict in list { conflict.sourceObject.setValue(99, forKey: "age") }
        }
        let rivals = try rivals(policy, store)
        try rivals.context.save()
        let stored = try rivals.stored(rivals.mine)
        #expect(stored.value(forKey: "name") as? String == "Bob" && stored.value(forKey: "age") as? Int == 99)
        #expect(!rivals.context.hasChanges)
    }

    @Test(arguments: RivalStore.allCases)
    func settingValuesAloneIsEnough(_ store: RivalStore) throws {
        let policy = Policy(merge: .errorMergePolicyType)
        policy.locking = { list, _ in
            for conflict in list {
                let names = [conflict.objectSnapshot, conflict.persistedSnapshot ?? conflict.cachedSnapshot]
                    .compactMap { $0?["name"] as? String }
                conflict.sourceObject.setValue(names.joined(separator: "+"), forKey: "name")
            }
        }
        let rivals = try rivals(policy, store)
        try rivals.context.save()
        for object in [rivals.mine, try rivals.stored(rivals.mine)] {
            expect(object.value(forKey: "name") as? String, equals: "Ada+Eve")
            #expect(
                object.value(forKey: "age") as? Int == 31 && object.value(forKey: "height") as? Double == 2)
        }
    }

    @Test func backToTheOldValueCountsAsADecision() throws {
        let policy = Policy(merge: .errorMergePolicyType)
        policy.locking = { list, _ in list[0].sourceObject.setValue("Ada", forKey: "name") }
        let rivals = try rivals(policy)
        try rivals.context.save()
        try expect(rivals.stored(rivals.mine).value(forKey: "name") as? String, equals: "Ada")
    }

    @Test func refreshingInsideThePolicy() throws {
        let policy = Policy(merge: .errorMergePolicyType)
        policy.locking = { list, _ in
            for conflict in list {
                conflict.sourceObject.managedObjectContext?.refresh(
                    conflict.sourceObject, mergeChanges: false)
            }
        }
        let rivals = try rivals(policy)
        try rivals.context.save()
        #expect(rivals.mine.value(forKey: "name") as? String == "Eve" && !rivals.context.hasChanges)
        expect(rivals.mine.value(forKey: "height") as? Double, equals: 1.5)
    }

    @Test func deletingInsideThePolicy() throws {
        let policy = Policy(merge: .errorMergePolicyType)
        policy.locking = { list, _ in
            for conflict in list { conflict.sourceObject.managedObjectContext?.delete(conflict.sourceObject) }
        }
        let rivals = try rivals(policy)
        try rivals.context.save()
        #expect(try rivals.stack.another().all("Person").isEmpty && !rivals.context.hasChanges)
    }

    @Test func theOlderMethodIsAskedToo() throws {
        let policy = Policy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        nonisolated(unsafe) var kinds: [String] = []
        policy.general = { list, resolve in
            kinds += list.map { "\(type(of: $0))" }
            try resolve(list)
        }
        let rivals = try rivals(policy)
        try rivals.context.save()
        expect(kinds, equals: ["NSMergeConflict"])
        expect(rivals.mine.value(forKey: "name") as? String, equals: "Eve")
    }

    @Test(arguments: RivalStore.allCases)
    func whatThePolicyThrowsTheSaveThrows(_ store: RivalStore) throws {
        let policy = Policy(merge: .overwriteMergePolicyType)
        policy.locking = { _, _ in throw CocoaError(.userCancelled) }
        let rivals = try rivals(policy, store)
        let new = rivals.context.make("Project", ["title": "P"])
        #expect(throws: CocoaError(.userCancelled)) { try rivals.context.save() }
        #expect(new.isInserted && new.objectID.isTemporaryID && rivals.mine.isUpdated)
        expect(rivals.mine.value(forKey: "name") as? String, equals: "Bob")
        #expect(try rivals.stack.another().all("Project").isEmpty)
        policy.locking = nil
        try rivals.context.save()
        try expect(rivals.stored(rivals.mine).value(forKey: "name") as? String, equals: "Bob")
    }

    @Test func keepingTheStoresValuesOfADuplicate() throws {
        // Clients do this to keep values that an import doesn't bring.
        let policy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        policy.constraint = { list, resolve in
            for conflict in list {
                guard let known = conflict.databaseObject else { continue }
                for object in conflict.conflictingObjects where object.value(forKey: "founded") == nil {
                    object.setValue(known.value(forKey: "founded"), forKey: "founded")
                }
            }
            try resolve(list)
        }
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model: model)
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let old = stack.context.make("Company", ["name": "A", "founded": date])
        try stack.context.save()
        stack.context.mergePolicy = policy
        _ = stack.context.make("Company", ["name": "A", "budget": Decimal(5)])
        try stack.context.save()
        #expect(old.value(forKey: "founded") as? Date == date && old.value(forKey: "budget") as? Decimal == 5)
    }

    @Test func aPolicyThatChangesNothingIsNotAskedForEver() throws {
        let policy = Policy(merge: .errorMergePolicyType)
        policy.constraint = { _, _ in }
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model: model)
        stack.context.mergePolicy = policy
        for _ in 0..<2 { _ = stack.context.make("Company", ["name": "A"]) }
        let error = thrownError { try stack.context.save() }
        expect(error?.code, equals: NSManagedObjectConstraintMergeError)
        expect(stack.context.insertedObjects.count, equals: 2)
    }

    @Test func conflictsThatClientsState() throws {
        let rivals = try rivals(Policy(merge: .errorMergePolicyType))
        let conflict = NSMergeConflict(
            source: rivals.mine, newVersion: 2, oldVersion: 1, cachedSnapshot: ["name": "x"],
            persistedSnapshot: ["name": "y"])
        #expect(conflict.objectSnapshot?["name"] as? String == "Ada" && conflict.cachedSnapshot?.count == 1)
        expect(conflict.persistedSnapshot?["name"] as? String, equals: "y")
        #expect(conflict.description.contains("version 2"))
        try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: [conflict])
        #expect(rivals.mine.value(forKey: "name") as? String == "Eve" && !rivals.context.hasChanges)
        let twins = NSConstraintConflict(
            constraint: ["name"], database: rivals.mine, databaseSnapshot: ["name": "x"],
            conflicting: [rivals.mine], conflictingSnapshots: [["name": "z", "age": 1]])
        #expect(twins.constraintValues.count == 1 && twins.constraintValues["name"] as? String == "z")
        #expect(twins.databaseSnapshot?["name"] as? String == "x" && twins.constraint == ["name"])
        #expect(twins.conflictingSnapshots.count == 1 && twins.description.contains("name"))
    }
}
