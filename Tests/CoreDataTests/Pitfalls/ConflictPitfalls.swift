// Facts about validation, conflicts and saves that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ConflictPitfalls {
    private func failure(_ body: () throws -> Void) throws -> NSError {
        try #require(#expect(throws: NSError.self, performing: body))
    }

    // MARK: Validation

    @Test(arguments: StoreKind.withObjects)
    func aMissingValueNamesItsKeyAndObject(_ kind: StoreKind) throws {
        let context = try StoreScene(kind).mine
        try context.run { () throws in
            let company = context.make("Company")
            let error = try failure { try context.save() }
            #expect(error.domain == NSCocoaErrorDomain && error.code == 1570)
            expect(error.userInfo[NSValidationKeyErrorKey] as? String, equals: "name")
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === company)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func severalFailuresAreDetailsOfOneError(_ kind: StoreKind) throws {
        let context = try StoreScene(kind).mine
        try context.run { () throws in
            for _ in 0..<2 { _ = context.make("Company") }
            let error = try failure { try context.save() }
            expect(error.code, equals: 1560)
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
            expect(details?.map(\.code), equals: [1570, 1570])
        }
    }

    @Test func aPredicateThatFailsTellsItsWarningAndTheValue() throws {
        let model = CompanyModel.make()
        let predicate = NSPredicate(format: "SELF > 17")
        model.entitiesByName["Person"]?.attributesByName["age"]?.setValidationPredicates(
            [predicate], withValidationWarnings: ["Too young"])
        let context = try StoreScene(.inMemory, model).mine
        try context.run { () throws in
            _ = context.make("Person", ["age": 5])
            let error = try failure { try context.save() }
            #expect(error.code == 1550 && error.localizedDescription == "Too young")
            expect(error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate, equals: predicate)
            expect(error.userInfo[NSValidationValueErrorKey] as? Int, equals: 5)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func aDeniedDeleteFailsInValidateForDeleteAndInSave(_ kind: StoreKind) throws {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.relationshipsByName["people"]?.deleteRule = .denyDeleteRule
        let scene = try StoreScene(kind, model)
        let context = scene.mine
        try context.run { () throws in
            let company = context.make("Company", ["name": "A"])
            _ = context.make("Person", ["name": "Ada", "company": company])
            try context.save()
            try expect(failure { try company.validateForDelete() }.code, equals: 1600)
            context.delete(company)
            try expect(failure { try context.save() }.code, equals: 1600)
            context.rollback()
            #expect(!company.isDeleted && !context.hasChanges)
        }
        try expect(scene.stored { try $0.names("Company") + $0.names() }, equals: ["A", "Ada"])
    }

    @Test func tooManyMembersAreRefused() throws {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.relationshipsByName["people"]?.maxCount = 2
        let context = try StoreScene(.inMemory, model).mine
        try context.run { () throws in
            let company = context.make("Company", ["name": "A"])
            for _ in 0..<3 { _ = context.make("Person", ["company": company]) }
            try expect(failure { try context.save() }.code, equals: 1590)
        }
    }

    @Test func whatAValidatorOfAClassThrowsComesOutUnchanged() throws {
        let model = CompanyModel.make()
        model.entitiesByName["Note"]?.managedObjectClassName = "CoreDataTests.StrictNote"
        let context = try StoreScene(.inMemory, model).mine
        try context.run { () throws in
            _ = context.make("Note", ["text": "bad"])
            let error = try failure { try context.save() }
            #expect(error === StrictNote.refusal)
        }
    }

    // MARK: Conflicts

    /// Two contexts that changed the same person: name on both sides, age there only, height here only.
    private func rivals(_ kind: StoreKind) throws -> (StoreScene, NSManagedObject) {
        let scene = try StoreScene(kind)
        let mine = try scene.mine.run { () throws in
            let mine = scene.mine.make("Person", ["name": "Ada", "age": 30, "height": 1.5])
            try scene.mine.save()
            return mine
        }
        try scene.elsewhere("Ada", ["name": "Eve", "age": 31])
        scene.mine.performAndWait { mine.setValuesForKeys(["name": "Bob", "height": 2.0]) }
        return (scene, mine)
    }

    @Test(arguments: StoreKind.allCases)
    func theDefaultPolicyIsTheErrorObjectAndTellsBothSnapshots(_ kind: StoreKind) throws {
        let (scene, mine) = try rivals(kind)
        let context = scene.mine
        #expect(context.mergePolicy as AnyObject === NSErrorMergePolicy as AnyObject)
        try context.run { () throws in
            let error = try failure { try context.save() }
            #expect(error.domain == NSCocoaErrorDomain && error.code == 133020)
            let list = error.userInfo["conflictList"] as? [NSMergeConflict]
            let conflict = try #require(list?.first)
            #expect(list?.count == 1 && conflict.sourceObject === mine)
            expect(conflict.objectSnapshot?["name"] as? String, equals: "Ada")
            expect(conflict.cachedSnapshot?["name"] as? String, equals: "Eve")
            #expect(conflict.persistedSnapshot == nil)
        }
    }

    private static let outcomes: [(NSMergePolicyType, String, Int, Double)] = [
        (.mergeByPropertyStoreTrumpMergePolicyType, "Eve", 31, 2),
        (.mergeByPropertyObjectTrumpMergePolicyType, "Bob", 31, 2),
        (.overwriteMergePolicyType, "Bob", 30, 2), (.rollbackMergePolicyType, "Eve", 31, 1.5),
    ]

    private func expectOutcome(_ kind: StoreKind, _ type: NSMergePolicyType) throws {
        let (_, name, age, height) = try #require(Self.outcomes.first { $0.0 == type })
        let (scene, mine) = try rivals(kind)
        scene.mine.mergePolicy = NSMergePolicy(merge: type)
        func expect(_ object: NSManagedObject) {
            #expect(object.text("name") == name && object.value(forKey: "age") as? Int == age)
            #expect(object.value(forKey: "height") as? Double == height)
        }
        try scene.mine.run { () throws in
            try scene.mine.save()
            #expect(mine.changedValues().isEmpty && !scene.mine.hasChanges)
            expect(mine)
        }
        try scene.stored { expect(try $0.person(name)) }
    }

    @Test(arguments: StoreKind.allCases)
    func storeTrumpKeepsAndSavesLocalEditsThatDontConflict(_ kind: StoreKind) throws {
        try expectOutcome(kind, .mergeByPropertyStoreTrumpMergePolicyType)
    }

    @Test(arguments: StoreKind.allCases)
    func objectTrumpKeepsTheOtherSidesEditsThatDontConflict(_ kind: StoreKind) throws {
        try expectOutcome(kind, .mergeByPropertyObjectTrumpMergePolicyType)
    }

    @Test(arguments: StoreKind.allCases)
    func overwriteWritesTheWholeRowAlsoWhatWasNotTouched(_ kind: StoreKind) throws {
        try expectOutcome(kind, .overwriteMergePolicyType)
    }

    @Test(arguments: StoreKind.allCases)
    func rollbackDropsLocalEditsAndTheSaveSucceeds(_ kind: StoreKind) throws {
        try expectOutcome(kind, .rollbackMergePolicyType)
    }

    // MARK: Uniqueness

    private func uniqueNames(_ kind: StoreKind) throws -> StoreScene {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"]]
        let scene = try StoreScene(kind, model)
        try scene.saved("Company", "A")
        return scene
    }

    @Test(arguments: StoreKind.allCases)
    func aValueThatMustBeUniqueFailsTheSaveWithAConstraintConflict(_ kind: StoreKind) throws {
        let scene = try uniqueNames(kind)
        try scene.theirs.run { () throws in
            _ = scene.theirs.make("Company", ["name": "A"])
            let error = try failure { try scene.theirs.save() }
            #expect(error.domain == NSCocoaErrorDomain && error.code == 133021)
            expect(CocoaError.Code(rawValue: error.code), equals: .managedObjectConstraintMerge)
            let list = error.userInfo["conflictList"] as? [NSConstraintConflict]
            expect(list?.first?.constraint, equals: ["name"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPolicyReparentsRelationshipsToTheSurvivingRow(_ kind: StoreKind) throws {
        let scene = try uniqueNames(kind)
        let context = scene.theirs
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.run { () throws in
            let twin = context.make("Company", ["name": "A", "budget": Decimal(5)])
            _ = context.make("Person", ["name": "Ada", "company": twin])
            try context.save()
        }
        try scene.stored {
            let companies = try $0.all("Company")
            #expect(companies.count == 1 && companies[0].value(forKey: "budget") as? Decimal == 5)
            expect(companies[0].value(forKeyPath: "people.name") as? Set<String>, equals: ["Ada"])
        }
    }

    private final class Ageing: NSMergePolicy, @unchecked Sendable {  // no state
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            try super.resolve(optimisticLockingConflicts: list)
            for conflict in list { conflict.sourceObject.setValue(99, forKey: "age") }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPolicyMayEditObjectsAfterSuper(_ kind: StoreKind) throws {
        let (scene, _) = try rivals(kind)
        scene.mine.mergePolicy = Ageing(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        try scene.mine.run { () throws in try scene.mine.save() }
        try expect(scene.stored { try $0.person("Eve").value(forKey: "age") as? Int }, equals: 99)
    }

    // MARK: Objects that reach the store

    @Test(arguments: StoreKind.withObjects)
    func aSaveWithoutChangesSucceedsAndTellsOfNone(_ kind: StoreKind) throws {
        let context = try StoreScene(kind).mine
        let saved = Posted(.NSManagedObjectContextDidSave, context)
        try context.run { () throws in try context.save() }
        #expect(saved.count == 1 && saved.objects(NSInsertedObjectsKey) == nil)
    }

    @Test func anIncrementalStoreGetsEmptySavesButNothingOfWhatCameAndWent() throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            DictionaryStore.self, forStoreType: DictionaryStore.type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let store = try #require(
            try coordinator.addPersistentStore(ofType: DictionaryStore.type, configurationName: nil, at: nil)
                as? DictionaryStore)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.run { () throws in
            try context.save()
            context.delete(context.make("Note", ["text": "short-lived"]))
            try context.save()
        }
        #expect(store.requests == ["empty save", "empty save"] && store.rows.isEmpty)
    }
}

/// Refuses what it is given with an error of its own.
final class StrictNote: NSManagedObject {
    static let refusal = NSError(domain: "Strict", code: 7)

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.validator("text") { (_: StrictNote, value) in
            if value as? String == "bad" { throw refusal }
        }
    }
}
