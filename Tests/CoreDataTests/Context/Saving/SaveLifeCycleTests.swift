import CoreData
import CoreDataTestSupport
import Testing

/// A class whose save methods do what a test says.
final class Worker: NSManagedObject {
    var onWillSave: ((Worker) -> Void)?
    var onDidSave: ((Worker) -> Void)?
    var problem: NSError?
    var calls: [String] = []

    override func willSave() {
        calls.append("willSave")
        onWillSave?(self)
    }
    override func didSave() {
        calls.append("didSave")
        onDidSave?(self)
    }
    override func validateForInsert() throws {
        calls.append("insert")
        try super.validateForInsert()
        if let problem { throw problem }
    }
    override func validateForUpdate() throws {
        calls.append("update")
        try super.validateForUpdate()
        if let problem { throw problem }
    }
    override func validateForDelete() throws {
        calls.append("delete")
        try super.validateForDelete()
        if let problem { throw problem }
    }

    static func stack() throws -> TestStack {
        let model = CompanyModel.make()
        model.entitiesByName["Project"]?.managedObjectClassName = "CoreDataTests.Worker"
        return try TestStack(model: model)
    }
}

@Suite struct SaveLifeCycleTests {
    @Test func willSaveMayChangeTheObject() throws {
        let stack = try Worker.stack()
        try stack.context.run { () throws in
            let worker = try #require(stack.context.make("Project", ["title": "a"]) as? Worker)
            worker.onWillSave = { if $0.text("title") == "a" { $0.setValue("b", forKey: "title") } }
            try stack.context.save()
            expect(worker.calls, equals: ["willSave", "willSave", "insert", "didSave"])
            #expect(worker.text("title") == "b" && !stack.context.hasChanges)
            worker.calls = []
            worker.onWillSave = { $0.setPrimitiveValue("d", forKey: "title") }
            worker.setValue("c", forKey: "title")
            try stack.context.save()
            expect(worker.calls, equals: ["willSave", "update", "didSave"])
            worker.onWillSave = nil
            stack.context.refresh(worker, mergeChanges: false)
            expect(worker.text("title"), equals: "d")
            worker.calls = []
            stack.context.delete(worker)
            try stack.context.save()
            expect(worker.calls, equals: ["willSave", "delete", "didSave"])
        }
    }

    /// The flags of an object as a class's `didSave` sees them.
    private func flags(_ object: NSManagedObject) -> [Bool] {
        [object.isInserted, object.isUpdated, object.isDeleted, object.hasChanges]
    }

    @Test(arguments: [true, false]) func didSaveSeesWhatTheSaveDid(_ isRoot: Bool) throws {
        let stack = try Worker.stack()
        let context = isRoot ? stack.context : ContextTree.child(of: stack.context)
        try context.run { () throws in
            let worker = try #require(context.make("Project", ["title": "a"]) as? Worker)
            let person = context.make("Person", ["name": "Ada"])
            var seen: [[Bool]] = []
            worker.onDidSave = { worker in
                seen.append(flags(worker))
                seen.append(flags(person))
                #expect(
                    worker.changedValues().isEmpty && !context.hasChanges && context.insertedObjects.isEmpty)
                #expect(worker.value(forKey: "isInserted") as? Bool == worker.isInserted)
            }
            try context.save()
            expect(seen, equals: [[true, false, false, true], [true, false, false, true]])
            expect(flags(worker), equals: [false, false, false, false])
            worker.setValue("b", forKey: "title")
            try context.save()
            expect(seen.suffix(2), equals: [[false, true, false, true], [false, false, false, false]])
            expect(flags(worker), equals: [false, false, false, false])
            context.delete(worker)
            try context.save()
            expect(seen.suffix(2), equals: [[false, false, true, true], [false, false, false, false]])
            expect(flags(worker), equals: [false, false, false, false])
        }
    }

    @Test func didSaveMaySaveAgain() throws {
        let stack = try Worker.stack()
        try stack.context.run { () throws in
            let worker = try #require(stack.context.make("Project", ["title": "a"]) as? Worker)
            var saves = 0
            worker.onDidSave = { worker in
                saves += 1
                if saves > 1 { return }
                worker.setValue("b", forKey: "title")
                #expect(stack.context.updatedObjects == [worker] && stack.context.insertedObjects.isEmpty)
                #expect(throws: Never.self) { try stack.context.save() }
            }
            try stack.context.save()
            #expect(saves == 2 && !worker.hasChanges && !worker.isInserted && !worker.isUpdated)
            stack.context.refresh(worker, mergeChanges: false)
            expect(worker.text("title"), equals: "b")
        }
    }

    @Test func willSaveThatNeverEndsFailsTheSave() throws {
        let stack = try Worker.stack()
        try stack.context.run { () throws in
            let worker = try #require(stack.context.make("Project") as? Worker)
            worker.onWillSave = { $0.setValue("again", forKey: "title") }
            #expect(throws: NSError.self) { try stack.context.save() }
            #expect(worker.calls.count == 1000 && worker.isInserted)
            worker.onWillSave = nil
            try stack.context.save()
        }
    }

    @Test func overriddenValidationFailsTheSave() throws {
        let stack = try Worker.stack()
        try stack.context.run { () throws in
            let worker = try #require(stack.context.make("Project") as? Worker)
            worker.problem = NSError(domain: "Worker", code: 1)
            #expect(throws: NSError(domain: "Worker", code: 1)) { try stack.context.save() }
            worker.problem = nil
            try stack.context.save()
            worker.problem = NSError(domain: "Worker", code: 2)
            worker.setValue("x", forKey: "title")
            #expect(throws: NSError(domain: "Worker", code: 2)) { try stack.context.save() }
            stack.context.delete(worker)
            #expect(throws: NSError(domain: "Worker", code: 2)) { try stack.context.save() }
            worker.problem = nil
            try stack.context.save()
            #expect(try stack.context.all("Project").isEmpty)
        }
    }

    @Test func notificationsSayWhatWasSaved() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let (updated, deleted) = (context.make("Person"), context.make("Person"))
            try context.save()
            let deletedID = deleted.objectID
            updated.setValue("x", forKey: "name")
            context.delete(deleted)
            let inserted = context.make("Person")
            let will = Posted(.NSManagedObjectContextWillSave, context)
            let did = Posted(.NSManagedObjectContextDidSave, context)
            let ids = Posted(.NSManagedObjectContextDidSaveObjectIDs, context)
            try context.save()
            #expect(will.all.count == 1 && did.all.count == 1 && ids.all.count == 1)
            expect(did.objects(NSInsertedObjectsKey), equals: [inserted])
            expect(did.objects(NSUpdatedObjectsKey), equals: [updated])
            expect(did.objects(NSDeletedObjectsKey), equals: [deleted])
            expect(
                ids.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>, equals: [inserted.objectID])
            expect(
                ids.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>, equals: [updated.objectID])
            expect(ids.userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID>, equals: [deletedID])
            #expect(!inserted.objectID.isTemporaryID)
            try context.save()
            #expect(will.all.count == 1 && did.all.count == 2 && did.objects(NSInsertedObjectsKey) == nil)
        }
    }

    @Test func permanentIDsStay() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "A"])
            let person = context.make("Person", ["company": company])
            let temporary = company.objectID
            try context.obtainPermanentIDs(for: [company])
            let id = company.objectID
            #expect(temporary.isTemporaryID && !id.isTemporaryID && company.isInserted)
            #expect(context.object(with: id) === company && context.registeredObject(for: temporary) == nil)
            #expect(person.value(forKey: "company") as? NSManagedObject === company)
            try context.obtainPermanentIDs(for: [company])
            expect(company.objectID, equals: id)
            try context.save()
            #expect(company.objectID == id && person.value(forKey: "company") as? NSManagedObject === company)
            context.reset()
            let again = try context.all("Person")[0]
            expect((again.value(forKey: "company") as? NSManagedObject)?.objectID, equals: id)
        }
    }

    @Test func rollbackAfterPermanentIDs() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            try stack.context.obtainPermanentIDs(for: [company])
            let id = company.objectID
            stack.context.rollback()
            #expect(stack.context.registeredObject(for: id) == nil && !stack.context.hasChanges)
            #expect(try stack.context.all("Company").isEmpty)
        }
    }

    @Test func aFailedConstraintLeavesEverythingAsItWas() throws {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let context = stack.context
            let first = context.make("Company", ["name": "A"])
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            let second = context.make("Company", ["name": "A"])
            person.setValue(second, forKey: "company")
            context.delete(first)
            context.insert(first)
            let third = context.make("Company", ["name": "A"])
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectConstraintMergeError)
            #expect(second.objectID.isTemporaryID && second.isInserted && person.isUpdated)
            #expect(person.value(forKey: "company") as? NSManagedObject === second)
            try expect(
                stack.another().count(for: NSFetchRequest<NSManagedObject>(entityName: "Company")), equals: 1)
            #expect(try stack.another().all("Person")[0].value(forKey: "company") == nil)
            second.setValue("B", forKey: "name")
            third.setValue("C", forKey: "name")
            try context.save()
            #expect(!second.objectID.isTemporaryID && !context.hasChanges)
            try expect(stack.another().all("Person", "company.name == 'B'").count, equals: 1)
        }
    }

    @Test func aFailedValidationLeavesEverythingAsItWas() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            let company = context.make("Company")
            #expect(throws: NSError.self) { try context.save() }
            #expect(
                person.isInserted && person.objectID.isTemporaryID
                    && context.insertedObjects == [person, company])
            #expect(try stack.another().all("Person").isEmpty)
            company.setValue("A", forKey: "name")
            try context.save()
            try expect(stack.another().all("Person").count, equals: 1)
        }
    }

    @Test func aConflictOverADeletedRow() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            let other = stack.another()
            try other.run { () throws in
                for object in try other.all("Person") { other.delete(object) }
                try other.save()
            }
            person.setValue("Bob", forKey: "name")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSManagedObjectMergeError && person.isUpdated)
            let conflict = (error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?
                .first
            #expect(
                conflict?.sourceObject === person && conflict?.persistedSnapshot == nil
                    && conflict?.newVersionNumber == 0)
            #expect(conflict?.objectSnapshot?["name"] as? String == "Ada" && conflict?.oldVersionNumber == 1)
            context.mergePolicy = NSMergePolicy.rollback
            try context.save()
            #expect(!context.hasChanges)
        }
    }
}
