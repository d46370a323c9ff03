// What was saved is there when the store is opened again, and every kind of store holds the same.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct ReopeningBehaviourTests {
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
            #expect(try context.existingObject(with: try #require(id)).text("name") == "Bea")
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
            #expect(reopened == expected, "\(scene.kind) reopened")
        }
    }
}
