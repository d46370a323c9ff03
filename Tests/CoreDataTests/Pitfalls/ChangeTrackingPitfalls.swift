// Facts about change tracking and the life cycle of objects that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Testing

/// A class that writes down what it is called and what it saw then.
private final class Witness: NSManagedObject {
    var calls: [String] = []
    var seenInAwake: Any?
    var onWillSave: ((Witness) -> Void)?

    override func awakeFromInsert() {
        super.awakeFromInsert()
        calls.append("awakeFromInsert")
        seenInAwake = primitiveValue(forKey: "visits")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        calls.append("awakeFromFetch")
    }
    override func prepareForDeletion() { calls.append("prepareForDeletion") }
    override func willSave() {
        calls.append("willSave")
        onWillSave?(self)
    }
    override func didSave() { calls.append("didSave") }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("level") { (_: Witness) in 99 }
    }

    static func stack() throws -> TestStack {
        let model = CompanyModel.make()
        model.entitiesByName["Person"]?.managedObjectClassName = "Witness"
        Witness.registerClass()
        return try TestStack(model: model)
    }
}

@Suite struct ChangeTrackingPitfalls {
    private func with(_ body: (NSManagedObjectContext, Witness) throws -> Void) throws {
        let stack = try Witness.stack()
        try stack.context.run { () throws in
            let witness = try #require(stack.context.make("Person", ["name": "Ada"]) as? Witness)
            try body(stack.context, witness)
        }
    }

    @Test func defaultsAreThereBeforeAwakeFromInsert() throws {
        try with { _, witness in
            expect(witness.seenInAwake as? Int, equals: 7)
            expect(witness.calls, equals: ["awakeFromInsert"])
        }
    }

    @Test func aNewObjectIsInsertedNoFaultAndHasATemporaryID() throws {
        try with { context, witness in
            #expect(witness.isInserted && !witness.isUpdated && !witness.isDeleted && !witness.isFault)
            #expect(witness.objectID.isTemporaryID && witness.faultingState == 0 && witness.hasChanges)
            #expect(context.insertedObjects == [witness] && context.updatedObjects.isEmpty)
        }
    }

    @Test func awakeFromFetchIsNotCalledOnInsertNorAwakeFromInsertOnFetch() throws {
        try with { context, witness in
            try context.save()
            context.refresh(witness, mergeChanges: false)
            _ = witness["name"]
            expect(witness.calls, equals: ["awakeFromInsert", "willSave", "didSave", "awakeFromFetch"])
        }
    }

    @Test func setPrimitiveValueIsNotInChangedValues() throws {
        try with { context, witness in
            try context.save()
            witness.setPrimitiveValue("quiet", forKey: "name")
            #expect(witness.changedValues().isEmpty && !witness.hasChanges && !context.hasChanges)
            expect(witness.text("name"), equals: "quiet")
        }
    }

    @Test func aTransientChangeIsAChangeButNotAPersistentOne() throws {
        try with { context, witness in
            try context.save()
            witness["scratch"] = "other"
            #expect(witness.hasChanges && context.hasChanges && !witness.hasPersistentChangedValues)
            expect(context.updatedObjects, equals: [witness])
            witness["name"] = "Bea"
            #expect(witness.hasPersistentChangedValues)
        }
    }

    @Test func changedValuesEmptyAfterTheSave() throws {
        try with { context, witness in
            expect(witness.changedValues()["name"] as? String, equals: "Ada")
            try context.save()
            #expect(witness.changedValues().isEmpty && !context.hasChanges)
            witness["name"] = nil
            #expect(witness.changedValues()["name"] is NSNull && witness.changedValues().count == 1)
        }
    }

    @Test func settingBackTheOldValueLeavesTheObjectUpdatedWithoutChangedValues() throws {
        try with { context, witness in
            try context.save()
            witness["name"] = "Bea"
            witness["name"] = "Ada"
            #expect(witness.isUpdated && witness.changedValues().isEmpty && context.hasChanges)
            #expect(!witness.hasPersistentChangedValues)
        }
    }

    @Test func committedValuesAreEmptyBeforeTheFirstSaveThenTheSavedOnes() throws {
        try with { context, witness in
            #expect(witness.committedValues(forKeys: ["name"])["name"] == nil)
            try context.save()
            witness["name"] = "Bea"
            let values = witness.committedValues(forKeys: ["name", "age"])
            #expect(values["name"] as? String == "Ada" && values["age"] is NSNull && values.count == 2)
            expect(witness.committedValues(forKeys: nil)["visits"] as? Int, equals: 7)
            try context.save()
            expect(witness.committedValues(forKeys: ["name"])["name"] as? String, equals: "Bea")
        }
    }

    @Test func changedValuesForCurrentEventEndWithTheEvent() throws {
        try with { context, witness in
            try context.save()
            witness["name"] = "Bea"
            expect(witness.changedValuesForCurrentEvent()["name"] as? String, equals: "Ada")
            context.processPendingChanges()
            #expect(witness.changedValuesForCurrentEvent().isEmpty)
            expect(witness.changedValues()["name"] as? String, equals: "Bea")
            witness["name"] = "Cleo"
            expect(witness.changedValuesForCurrentEvent()["name"] as? String, equals: "Bea")
        }
    }

    @Test func willSaveIsCalledAgainAfterItChangedTheObjectAndDidSaveOnce() throws {
        try with { context, witness in
            witness.onWillSave = { if $0.text("name") != "final" { $0["name"] = "final" } }
            try context.save()
            expect(witness.calls, equals: ["awakeFromInsert", "willSave", "willSave", "didSave"])
        }
    }

    @Test func setPrimitiveValueInWillSaveDoesNotLoopAndIsSaved() throws {
        try with { context, witness in
            witness.onWillSave = { $0.setPrimitiveValue("final", forKey: "name") }
            try context.save()
            expect(witness.calls, equals: ["awakeFromInsert", "willSave", "didSave"])
            context.refresh(witness, mergeChanges: false)
            expect(witness.text("name"), equals: "final")
        }
    }

    @Test func willSaveThatNeverStopsEndsAfterAThousandRounds() throws {
        try with { context, witness in
            witness.onWillSave = { $0["age"] = ($0["age"] as? Int ?? 0) + 1 }
            #expect(throws: NSError.self) { try context.save() }
            #expect(witness["age"] as? Int == 1000 && witness.objectID.isTemporaryID)
        }
    }

    @Test func aCustomAccessorWinsInValueForKey() throws {
        try with { _, witness in
            witness.setPrimitiveValue(1, forKey: "level")
            expect(witness.value(forKey: "level") as? Int, equals: 99)
            expect(witness.primitiveValue(forKey: "level") as? Int, equals: 1)
            expect(witness.value(forKeyPath: "level") as? Int, equals: 99)
        }
    }

    @Test func aMutableTransformableChangedInPlaceIsNoChange() throws {
        try with { context, witness in
            witness["tags"] = NSMutableArray(array: ["a"])
            try context.save()
            (witness["tags"] as? NSMutableArray)?.add("b")
            #expect(!witness.hasChanges && witness.changedValues().isEmpty && !context.hasChanges)
            context.refresh(witness, mergeChanges: false)
            expect((witness["tags"] as? NSArray)?.count, equals: 1)
        }
    }

    @Test func prepareForDeletionIsCalledAgainOnASecondDelete() throws {
        try with { context, witness in
            try context.save()
            witness.calls = []
            context.delete(witness)
            context.delete(witness)
            expect(witness.calls, equals: ["prepareForDeletion", "prepareForDeletion"])
        }
    }

    @Test func afterASavedDeleteIsDeletedIsFalseAgain() throws {
        try with { context, witness in
            try context.save()
            context.delete(witness)
            #expect(witness.isDeleted && context.deletedObjects == [witness])
            try context.save()
            #expect(
                !witness.isDeleted && witness.managedObjectContext == nil && context.deletedObjects.isEmpty)
        }
    }

    @Test func aDeletedNewObjectIsNoChange() throws {
        try with { context, witness in
            context.delete(witness)
            #expect(!context.hasChanges && context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
            try context.save()
            #expect(try context.all("Person").isEmpty)
        }
    }

    @Test func rollbackTakesInsertsUpdatesAndDeletesBack() throws {
        try with { context, witness in
            let kept = context.make("Person", ["name": "Bea"])
            let deleted = context.make("Person", ["name": "Cleo"])
            try context.save()
            let inserted = context.make("Person")
            let id = inserted.objectID
            kept["name"] = "changed"
            context.delete(deleted)
            context.rollback()
            #expect(context.registeredObject(for: id) == nil && inserted.managedObjectContext == nil)
            #expect(kept.text("name") == "Bea" && !kept.isUpdated && !deleted.isDeleted)
            #expect(!context.hasChanges && !witness.isDeleted)
        }
    }

    @Test func anIDIsTemporaryUntilTheSaveThenPermanent() throws {
        try with { context, witness in
            let temporary = witness.objectID
            #expect(temporary.isTemporaryID && context.object(with: temporary) === witness)
            try context.save()
            #expect(!witness.objectID.isTemporaryID && witness.objectID != temporary)
            #expect(context.object(with: witness.objectID) === witness)
        }
    }

    @Test func obtainedPermanentIDsAreThereBeforeTheSaveAndStay() throws {
        try with { context, witness in
            try context.obtainPermanentIDs(for: [witness])
            let id = witness.objectID
            #expect(!id.isTemporaryID && witness.isInserted && context.hasChanges)
            try context.save()
            expect(witness.objectID, equals: id)
        }
    }

    @Test func aFailedSaveLeavesObjectsIDsAndChangesAsTheyWere() throws {
        try with { context, witness in
            let company = context.make("Company")
            let ids = [witness.objectID, company.objectID]
            let values = witness.changedValues().keys.sorted()
            #expect(throws: CocoaError.self) { try context.save() }
            #expect(
                [witness.objectID, company.objectID] == ids && context.insertedObjects == [witness, company])
            #expect(witness.changedValues().keys.sorted() == values && witness.isInserted)
            company["name"] = "A"
            try context.save()
        }
    }

    @Test func aSaveWithoutChangesSucceeds() throws {
        try with { context, _ in
            try context.save()
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test func deletingThroughAMutableSetIsNoDelete() throws {
        try with { context, witness in
            let company = context.make("Company", ["name": "A", "people": NSSet(object: witness)])
            try context.save()
            company.mutableSetValue(forKey: "people").removeAllObjects()
            #expect(!witness.isDeleted && witness.isUpdated && company.isUpdated && witness["company"] == nil)
            expect((company.committedValues(forKeys: ["people"])["people"] as? NSSet)?.count, equals: 1)
        }
    }
}
