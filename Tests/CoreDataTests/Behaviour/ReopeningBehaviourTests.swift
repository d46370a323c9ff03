// Saved objects are there when the store is opened again, and every kind of store holds the same.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct ReopeningBehaviourTests {
    @Test(arguments: StoreKind.allCases.filter(\.hasFile))
    func everythingIsThereAgain(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind, LibraryModel.make())
        let before = try scene.mine.run { () throws in
            try Library.fill(scene.mine)
            try scene.mine.save()
            return try scene.mine.library()
        }
        let again = try kind.makeContainer(LibraryModel.make(), reopening: scene.container)
        let context = again.newBackgroundContext()
        try context.run { () throws in
            try expect(difference(context.library(), before), equals: [])
            let ada = try context.named("Author", "Ada")
            expect(ada.value(forKey: "portrait") as? Data, equals: Library.portrait)
            #expect(ada.value(forKey: "site") as? URL == URL(string: "https://ada.example/?q=1"))
            let book = try context.named("Book", "A")
            let price = book.value(forKey: "price") as? NSDecimalNumber
            expect(price?.stringValue, equals: "12.25")
            ada.mutableOrderedSetValue(forKey: "books").removeObject(at: 0)
            context.delete(book)
            _ = context.make("Novel", ["name": "E", "pages": 2, "author": ada])
            try context.save()
        }
        let third = try kind.makeContainer(LibraryModel.make(), reopening: scene.container)
        let last = third.newBackgroundContext()
        try last.run { () throws in
            try expect(last.named("Author", "Ada").members("books"), equals: ["B", "E"])
            try expect(last.named("Book", "C").members("sequels"), equals: ["D", "B"])
            #expect(try last.named("Book", "C").value(forKey: "author") == nil)
            try expect(
                context.run { () throws in try difference(last.library(), context.library()) }, equals: [])
        }
    }

    @Test(arguments: StoreKind.allCases.filter(\.hasFile))
    func identitiesOutliveTheirCoordinator(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind, LibraryModel.make())
        let uri = try scene.mine.run { () throws in
            try Library.fill(scene.mine)
            try scene.mine.save()
            return try scene.mine.named("Author", "Bea").objectID.uriRepresentation()
        }
        let again = try kind.makeContainer(LibraryModel.make(), reopening: scene.container)
        let context = again.newBackgroundContext()
        try context.run { () throws in
            let id = again.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri)
            try expect(context.existingObject(with: try #require(id)).text("name"), equals: "Bea")
        }
    }

    /// The same random edits, with saves, refreshes and rollbacks between them, end in the same objects everywhere.
    @Test(arguments: 1...3)
    func randomLivesEndAlikeInAllStores(_ seed: UInt64) throws {
        let scenes = try StoreKind.withObjects.map { try StoreScene($0, RandomEdit.model()) }
        var (random, script) = (SeededGenerator(seed: seed &* 77), EditScript())
        for round in 0..<20 {
            let edits = (0..<Int(random.next() % 15 + 1)).map { _ in script.next(&random) }
            let action = random.next() % 6
            for scene in scenes {
                let context = round % 2 == 0 ? scene.mine : scene.theirs
                try context.run { () throws in
                    context.refreshAllObjects()
                    for edit in edits { try edit.apply(to: context) }
                    if action == 0 { context.rollback() } else { try context.save() }
                    if action == 1 { context.reset() }
                }
            }
        }
        let expected = try scenes[0].stored { try RandomEdit.dump($0) }
        #expect(expected.count > 5)
        for scene in scenes {
            try #require(try scene.stored { try RandomEdit.dump($0) } == expected, "\(scene.kind)")
            guard scene.kind.hasFile else { continue }
            let again = try scene.kind.makeContainer(RandomEdit.model(), reopening: scene.container)
            let context = again.newBackgroundContext()
            let reopened = try context.run { () throws in try RandomEdit.dump(context) }
            expect(reopened, equals: expected, "\(scene.kind) reopened")
        }
    }
}
