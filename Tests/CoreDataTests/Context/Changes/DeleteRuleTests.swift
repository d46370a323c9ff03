// Delete rules: what they change and when, and what validation says of them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A folder holds files by one rule; a file needs its folder or not.
private enum Shelf {
    static func context(
        _ rule: NSDeleteRule, needsFolder: Bool = false, kind: StoreKind = .sqlite
    ) throws -> (StoreContainer, NSManagedObjectContext) {
        let (folder, file) = (NSEntityDescription(), NSEntityDescription())
        (folder.name, file.name) = ("Folder", "File")
        let (files, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (files.name, files.destinationEntity, files.inverseRelationship) = ("files", file, back)
        (back.name, back.destinationEntity, back.inverseRelationship) = ("folder", folder, files)
        (files.maxCount, back.maxCount) = (0, 1)
        (files.deleteRule, back.deleteRule) = (rule, .nullifyDeleteRule)
        (files.isOptional, back.isOptional) = (true, !needsFolder)
        folder.properties = [files]
        file.properties = [back]
        let model = NSManagedObjectModel()
        model.entities = [folder, file]
        let container = try kind.makeContainer(model)
        return (container, container.newBackgroundContext())
    }

    /// A saved folder with two files.
    static func fill(_ context: NSManagedObjectContext) throws -> (NSManagedObject, [NSManagedObject]) {
        let folder = context.make("Folder")
        let files = (0..<2).map { _ in context.make("File", ["folder": folder]) }
        try context.save()
        return (folder, files)
    }
}

@Suite struct DeleteRuleTests {
    @Test(arguments: StoreKind.allCases) func cascadeFollowsAtTheEndOfTheEvent(kind: StoreKind) throws {
        let (container, context) = try Shelf.context(.cascadeDeleteRule, kind: kind)
        try context.run { () throws in
            let (folder, files) = try Shelf.fill(context)
            context.delete(folder)
            expect(context.deletedObjects, equals: [folder])
            context.processPendingChanges()
            expect(context.deletedObjects, equals: Set([folder] + files))
            try context.save()
            let fresh = container.newBackgroundContext()
            try expect(fresh.run { try fresh.all("File").count }, equals: 0)
        }
    }

    @Test func propagationWaitsForTheSave() throws {
        let (_, context) = try Shelf.context(.cascadeDeleteRule)
        try context.run { () throws in
            let (folder, files) = try Shelf.fill(context)
            context.propagatesDeletesAtEndOfEvent = false
            context.delete(folder)
            context.processPendingChanges()
            #expect(context.deletedObjects == [folder] && files.allSatisfy { !$0.isDeleted })
            // Switched on again: what waits is still propagated by the save.
            context.propagatesDeletesAtEndOfEvent = true
            try context.save()
            #expect(try context.all("File").isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases) func nullifyKeepsTheMembers(kind: StoreKind) throws {
        let (container, context) = try Shelf.context(.nullifyDeleteRule, kind: kind)
        try context.run { () throws in
            let (folder, files) = try Shelf.fill(context)
            context.delete(folder)
            #expect(files.allSatisfy { $0.value(forKey: "folder") != nil })
            context.processPendingChanges()
            #expect(files.allSatisfy { $0.value(forKey: "folder") == nil } && files.allSatisfy(\.isUpdated))
            try context.save()
            let fresh = container.newBackgroundContext()
            try fresh.run { () throws in
                try expect(fresh.all("File", "folder == nil").count, equals: 2)
            }
        }
    }

    @Test func nullifyOfARequiredRelationshipFails() throws {
        let (_, context) = try Shelf.context(.nullifyDeleteRule, needsFolder: true)
        try context.run { () throws in
            let (folder, files) = try Shelf.fill(context)
            context.delete(folder)
            let error = #expect(throws: NSError.self) { try context.save() }
            expect(error?.code, equals: NSValidationMultipleErrorsError)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            expect(
                details.map(\.code),
                equals: Array(repeating: NSValidationMissingMandatoryPropertyError, count: 2))
            #expect(details.allSatisfy { $0.userInfo[NSValidationKeyErrorKey] as? String == "folder" })
            let objects = details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }
            #expect(Set(objects) == Set(files) && folder.isDeleted)
            context.rollback()
            #expect(
                !folder.isDeleted && files.allSatisfy { $0.value(forKey: "folder") as? NSObject === folder })
        }
    }

    @Test func denySaysWhoDenies() throws {
        let (_, context) = try Shelf.context(.denyDeleteRule)
        try context.run { () throws in
            let (folder, files) = try Shelf.fill(context)
            context.delete(folder)
            context.delete(files[0])
            context.processPendingChanges()
            let error = #expect(throws: NSError.self) { try context.save() }
            expect(error?.code, equals: NSValidationRelationshipDeniedDeleteError)
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === folder)
            expect(error?.userInfo[NSValidationKeyErrorKey] as? String, equals: "files")
            let holders = error?.userInfo[NSValidationValueErrorKey] as? NSSet
            expect(holders, equals: NSSet(array: [files[1]]))
            // Nobody denies any more once all members go as well.
            context.delete(files[1])
            try context.save()
            #expect(try context.all("Folder").isEmpty && context.all("File").isEmpty)
        }
    }

    @Test func noActionLeavesMembersAsTheyAre() throws {
        let (_, context) = try Shelf.context(.noActionDeleteRule)
        try context.run { () throws in
            let (folder, files) = try Shelf.fill(context)
            context.delete(folder)
            context.processPendingChanges()
            #expect(files.allSatisfy { $0.value(forKey: "folder") as? NSObject === folder })
            #expect(context.updatedObjects.isEmpty)
            try context.save()
            try expect(context.all("File").count, equals: 2)
        }
    }

    @Test func newObjectsLeaveAtTheEndOfTheEvent() throws {
        let (_, context) = try Shelf.context(.cascadeDeleteRule)
        try context.run { () throws in
            let folder = context.make("Folder")
            let file = context.make("File", ["folder": folder])
            context.delete(folder)
            #expect(!context.insertedObjects.contains(folder) && context.deletedObjects.isEmpty)
            context.processPendingChanges()
            #expect(context.registeredObjects.isEmpty && !context.hasChanges)
            #expect(folder.managedObjectContext == nil && file.managedObjectContext == nil)
            #expect(!folder.isDeleted && !folder.isInserted)
            context.insert(folder)
            #expect(folder.isInserted && context.insertedObjects == [folder])
            context.rollback()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test func whatIsDeletedWhileOthersAreFollowsToo() throws {
        let (_, context) = try Shelf.context(.cascadeDeleteRule)
        try context.run { () throws in
            let (one, two) = (try Shelf.fill(context), try Shelf.fill(context))
            context.delete(one.0)
            context.processPendingChanges()
            context.delete(two.0)
            context.processPendingChanges()
            expect(context.deletedObjects.count, equals: 6)
        }
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers)
    func reflexiveAndOrderedRelationships(
        kind: StoreKind
    ) throws {
        let container = try kind.makeContainer(UndoModel.make())
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let nodes = ["a", "b", "c"].map(context.node)
            nodes[0].setValue(NSSet(array: nodes), forKey: "peers")
            nodes[0].setValue(NSOrderedSet(array: [nodes[2], nodes[0], nodes[1]]), forKey: "list")
            nodes[1].setValue(NSOrderedSet(array: [nodes[2], nodes[0]]), forKey: "list")
            nodes[0].setValue(NSSet(array: [nodes[1]]), forKey: "loose")
            try context.save()
            context.refreshAllObjects()
            #expect(nodes[2].labels("peers") == ["a"] && nodes[2].labels("listedIn") == ["a", "b"])
            context.delete(nodes[0])
            try context.save()
            context.refreshAllObjects()
            #expect(nodes[2].labels("peers").isEmpty && nodes[2].labels("listedIn") == ["b"])
            expect(nodes[1].labels("list"), equals: ["c"])
        }
    }
}
