// Deletions of objects whose values nobody has read: there is no version that the store could be asked to have.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DeletedFaultsTests {
    /// Items without relationships, whose rules would read them.
    private func container(_ kind: StoreKind, count: Int = 3) throws -> StoreContainer {
        let item = NSEntityDescription("Item")
        let content = NSAttributeDescription("content", .binaryData)
        content.allowsExternalBinaryDataStorage = true
        item.properties = [NSAttributeDescription("name", .string), content]
        let model = NSManagedObjectModel()
        model.entities = [item]
        let container = try kind.makeContainer(model)
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let items = (0..<count).map {
                context.make("Item", ["name": "\($0)", "content": Data(count: 200_000)])
            }
            try context.save()
            for item in items { item.setValue("changed", forKey: "name") }
            try context.save()
        }
        return container
    }

    private func anID(_ container: StoreContainer) throws -> NSManagedObjectID {
        let context = container.newBackgroundContext()
        return try context.run { () throws in try #require(try context.fetch(request()).first).objectID }
    }

    private func request() -> NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Item") }

    @Test(arguments: StoreKind.withObjects) func aFaultFromAnIDIsDeleted(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.error
        try context.run { () throws in
            context.delete(context.object(with: try anID(container)))
            try context.save()
            try expect(context.count(for: self.request()), equals: 2)
        }
    }

    @Test(arguments: StoreKind.withObjects, [0, 1, 2]) func allOfAnEntityAreDeleted(
        _ kind: StoreKind, _ way: Int
    ) throws {
        let container = try container(kind)
        let context = container.newBackgroundContext()
        context.mergePolicy = way == 2 ? NSMergePolicy.rollback : NSMergePolicy.error
        try context.run { () throws in
            let request = self.request()
            request.includesPropertyValues = way != 0
            let items = try context.fetch(request)
            if way > 0 { context.refreshAllObjects() }
            items.forEach(context.delete)
            try context.save()
            try expect(context.count(for: self.request()), equals: 0)
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test func theFilesOfItsValuesGoWithIt() throws {
        let container = try container(.sqlite)
        let url = try #require(container.persistentStoreCoordinator.persistentStores.first?.url)
        let files = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        try expect(FileManager.default.contentsOfDirectory(atPath: files.path).count, equals: 3)
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let request = self.request()
            request.includesPropertyValues = false
            try context.fetch(request).prefix(2).forEach(context.delete)
            try context.save()
        }
        try expect(FileManager.default.contentsOfDirectory(atPath: files.path).count, equals: 1)
    }

    /// A version that was read is compared, whatever became of the values since.
    @Test func anObjectThatSomebodyChangedIsAConflict() throws {
        let container = try container(.sqlite, count: 1)
        let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
        let item = try context.run { () throws in
            let item = try #require(try context.fetch(request()).first)
            expect(item.value(forKey: "name") as? String, equals: "changed")
            return item
        }
        try other.run { () throws in
            try other.fetch(request()).first?.setValue("theirs", forKey: "name")
            try other.save()
        }
        let error = #expect(throws: (any Error).self) {
            try context.run { () throws in
                context.delete(item)
                try context.save()
            }
        }
        expect((error as NSError?)?.code, equals: NSManagedObjectMergeError)
    }

    @Test func aFaultWhoseRowIsGoneIsDeletedAlready() throws {
        let container = try container(.sqlite, count: 1)
        let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
        try context.run { () throws in
            let request = self.request()
            request.includesPropertyValues = false
            let items = try context.fetch(request)
            try other.run { () throws in
                try other.fetch(self.request()).forEach(other.delete)
                try other.save()
            }
            items.forEach(context.delete)
            try context.save()
            try expect(context.count(for: self.request()), equals: 0)
        }
    }
}
