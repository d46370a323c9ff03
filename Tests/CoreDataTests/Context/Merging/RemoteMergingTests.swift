// Merges of what another coordinator, or no context at all, wrote: dictionaries of IDs and URIs.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RemoteMergingTests {
    /// A coordinator on the same file with a context, as another process would have.
    private func remote(_ stack: TestStack) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url, options: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private struct Remote {
        let inserted: NSManagedObjectID
        let updated: NSManagedObjectID
        let deleted: NSManagedObjectID
    }

    /// Changes the stored people through the other coordinator.
    private func change(_ remote: NSManagedObjectContext) throws -> Remote {
        try remote.run { () throws in
            let updated = try remote.all("Person", "name == 'a'")[0]
            updated.setValue("A", forKey: "name")
            let deleted = try remote.all("Person", "name == 'b'")[0]
            remote.delete(deleted)
            let inserted = remote.make("Employee", ["name": "c"])
            try remote.save()
            return Remote(
                inserted: inserted.objectID, updated: updated.objectID, deleted: deleted.objectID)
        }
    }

    /// The forms in which a dictionary may name rows.
    enum Form: CaseIterable {
        case idArray, idSet, foundationArray, foundationSet, uriArray, uriSet, idKeys

        func value(_ id: NSManagedObjectID) -> Any {
            switch self {
            case .idArray, .idKeys: [id]
            case .idSet: Set([id])
            case .foundationArray: NSArray(object: id)
            case .foundationSet: NSSet(object: id)
            case .uriArray: [id.uriRepresentation()]
            case .uriSet: Set([id.uriRepresentation()])
            }
        }

        var keys: [String] {
            self == .idKeys
                ? [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey]
                : [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
        }
    }

    @Test(arguments: Form.allCases) func anotherCoordinatorsSaveIsMerged(_ form: Form) throws {
        let stack = try TestStack()
        let contexts = [stack.context, stack.another()]
        try stack.context.run { () throws in
            for name in ["a", "b"] { _ = stack.context.make("Person", ["name": name]) }
            try stack.context.save()
        }
        let held = try contexts.map { context in
            try context.run { () throws in
                let people = try context.all("Person", sort: "name")
                expect(people.map { $0.text("name") }, equals: ["a", "b"])
                return people
            }
        }
        let change = try change(remote(stack))
        let posted = contexts.map { Posted(.NSManagedObjectContextObjectsDidChange, $0) }
        let values = [change.inserted, change.updated, change.deleted].map(form.value)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: Dictionary(uniqueKeysWithValues: zip(form.keys, values)), into: contexts)
        for ((context, people), posted) in zip(zip(contexts, held), posted) {
            context.performAndWait {
                #expect(people[0].text("name") == "A" && !people[0].hasChanges)
                #expect(people[1].isDeleted && people[1].text("name") == "b")
                expect(posted.objects(NSRefreshedObjectsKey), equals: [people[0]])
                expect(posted.objects(NSDeletedObjectsKey), equals: [people[1]])
                let inserted = posted.objects(NSInsertedObjectsKey)?.first
                #expect(inserted?.text("name") == "c" && inserted?.entity.name == "Employee")
                expect(inserted?.objectID, equals: change.inserted)
            }
        }
    }

    @Test func refreshedIDsAreReadAgain() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let people = ["a", "b"].map { stack.context.make("Person", ["name": $0]) }
            try stack.context.save()
            let change = try change(remote(stack))
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSRefreshedObjectIDsKey: [change.updated]], into: [stack.context])
            #expect(people[0].text("name") == "A" && people[1].text("name") == "b")
        }
    }

    @Test func rowsThatAreGoneAndStoresOfOthersAreLeftOut() throws {
        let (stack, stranger) = (try TestStack(), try TestStack())
        let foreign = try stranger.context.run { () throws in
            let person = stranger.context.make("Person")
            try stranger.context.save()
            return person.objectID
        }
        try stack.context.run { () throws in
            for name in ["a", "b"] { _ = stack.context.make("Person", ["name": name]) }
            try stack.context.save()
            let change = try change(remote(stack))
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, stack.context)
            let unknown = try #require(URL(string: "x-coredata://\(UUID().uuidString)/Person/p1"))
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSInsertedObjectsKey: [change.deleted, foreign], NSUpdatedObjectsKey: [unknown],
                    NSDeletedObjectsKey: [foreign],
                ], into: [stack.context])
            #expect(posted.all.isEmpty && stack.context.registeredObjects.isEmpty)
        }
    }

    @Test func aDeletedFaultTurnsOutToBeGone() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for name in ["a", "b"] { _ = stack.context.make("Person", ["name": name]) }
            try stack.context.save()
            let id = try stack.context.run { () throws in
                try stack.context.all("Person", "name == 'b'")[0].objectID
            }
            let fault = stack.context.object(with: id)
            _ = try change(remote(stack))
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectIDsKey: [id]], into: [stack.context])
            #expect(fault.isDeleted && stack.context.deletedObjects == [fault])
            #expect(fault.text("name") == nil && fault.isDeleted)
            try stack.context.save()
            #expect(!stack.context.hasChanges && stack.context.registeredObject(for: id) == nil)
        }
    }

    @Test func whatIsNoCollectionOfIDsRaises() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: 1], into: [stack.context])
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: ["x"]], into: [stack.context])
        }
    }

    /// A batch names what it deleted, not what was related to it: that is read again.
    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes, [false, true])
    func relationshipsLoseWhatABatchDeleted(_ type: String, asNotification: Bool) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        context.mergePolicy = NSMergePolicy.error
        try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            let people = (0..<4).map {
                context.make("Employee", ["name": "n\($0)", "age": $0, "company": company])
            }
            let project = context.make("Project", ["title": "p"])
            project.setValue(Set(people), forKey: "members")
            people[3].setValue(people[0], forKey: "spouse")
            people[3].setValue(people[1], forKey: "manager")
            try context.save()
            context.refreshAllObjects()
            _ = (company.value(forKey: "people") as? NSSet)?.count
            _ = (project.value(forKey: "members") as? NSSet)?.count
            _ = people[3].text("name")
            people[2].setValue(people[0], forKey: "manager")
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Employee")
            request.predicate = NSPredicate(format: "age < 2")
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeObjectIDs
            let result = (try context.execute(delete) as? NSBatchDeleteResult)?.result
            let changes = [NSDeletedObjectIDsKey: try #require(result as? [NSManagedObjectID])]
            if asNotification {
                context.mergeChanges(
                    fromContextDidSave: Notification(
                        name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: changes))
            } else {
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
            }
            #expect(people[0].isDeleted && people[1].isDeleted)
            expect(company.value(forKey: "people") as? Set<NSManagedObject>, equals: Set(people[2...]))
            expect(project.value(forKey: "members") as? Set<NSManagedObject>, equals: Set(people[2...]))
            #expect(people[3].value(forKey: "spouse") == nil && people[3].value(forKey: "manager") == nil)
            #expect(!people[3].hasChanges && !company.hasChanges && !project.hasChanges)
            // Its row was changed by the batch, and is known as it is.
            people[3].setValue(30, forKey: "age")
            try context.save()
            #expect(people[2].value(forKey: "manager") == nil, "an unsaved reference is left out of the save")
        }
    }
}
