// The life of an object from its insertion to its deletion, alike in every store.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct LifeCycleBehaviourTests {
    @Test(arguments: StoreKind.withObjects)
    func insertUpdateDelete(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind, LibraryModel.make())
        let context = scene.mine
        try context.run { () throws in
            let genre = context.make("Genre", ["name": "Poems"])
            #expect(genre.isInserted && genre.objectID.isTemporaryID && context.insertedObjects == [genre])
            try expect(scene.stored { try $0.names("Genre") }, equals: [])
            try context.save()
            #expect(!genre.hasChanges && !genre.objectID.isTemporaryID && !context.hasChanges)
            genre.setValue("Verse", forKey: "name")
            #expect(genre.isUpdated && genre.changedValues()["name"] as? String == "Verse")
            expect(genre.committedValues(forKeys: ["name"])["name"] as? String, equals: "Poems")
            try expect(scene.stored { try $0.names("Genre") }, equals: ["Poems"])
            try context.save()
            try expect(scene.stored { try $0.names("Genre") }, equals: ["Verse"])
            context.delete(genre)
            #expect(genre.isDeleted && context.deletedObjects == [genre])
            try context.save()
            #expect(!genre.isDeleted && genre.managedObjectContext == nil)
        }
        try expect(scene.stored { try $0.all("Genre").count }, equals: 0)
    }

    @Test(arguments: StoreKind.withObjects)
    func everyKindOfValueIsChangedAndCleared(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let ada = try context.named("Author", "Ada")
            ada.setValuesForKeys([
                "tags": ["z"], "portrait": Data(Library.portrait.reversed()), "height": -0.5,
                "place": ["city": "Bonn", "floor": -1] as [String: Any], "alive": false,
            ])
            try context.save()
            try expect(scene.stored { try $0.library() }, equals: context.library())
            let stored = try scene.stored { context in
                let ada = try context.named("Author", "Ada")
                expect(ada.value(forKey: "tags") as? [String], equals: ["z"])
                expect((ada.value(forKey: "place") as? [String: Any])?["city"] as? String, equals: "Bonn")
                return ada.value(forKey: "portrait") as? Data
            }
            expect(stored, equals: Data(Library.portrait.reversed()))
            for key in ada.entity.attributesByName.keys where key != "name" { ada.setValue(nil, forKey: key) }
            try context.save()
            try scene.stored {
                let ada = try $0.named("Author", "Ada")
                for key in ada.entity.attributesByName.keys where key != "name" {
                    #expect(ada.value(forKey: key) == nil, "\(key)")
                }
            }
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func aFailedValidationLeavesNothingBehind(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let before = try context.library()
            context.delete(try context.named("Author", "Bea"))
            try context.named("Book", "A").setValue(0, forKey: "pages")
            _ = context.make("Genre", ["name": "Essay"])
            let nameless = context.make("Author")
            let error = #expect(throws: NSError.self) { try context.save() }
            expect(error?.code, equals: NSValidationMultipleErrorsError)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
            expect(
                Set(details?.map(\.code) ?? []),
                equals: [
                    NSManagedObjectValidationError, NSValidationMissingMandatoryPropertyError,
                ])
            try expect(scene.stored { try $0.library() }, equals: before, "the store is as it was")
            #expect(nameless.isInserted && nameless.objectID.isTemporaryID && context.hasChanges)
            context.rollback()
            #expect(try context.library() == before && !context.hasChanges)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func faultsFillWhenTheyAreRead(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, _ in
            let context = scene.theirs
            try context.run { () throws in
                let ada = try context.named("Author", "Ada")
                context.refresh(ada, mergeChanges: false)
                #expect(ada.isFault && ada.hasFault(forRelationshipNamed: "books"))
                #expect(ada.text("name") == "Ada" && !ada.isFault)
                let books = try #require(ada.value(forKey: "books") as? NSOrderedSet)
                let first = try #require(books.firstObject as? NSManagedObject)
                #expect(
                    first.text("name") == "C" && first.value(forKey: "author") as? NSManagedObject === ada)
                #expect(try context.existingObject(with: first.objectID) === first)
                context.reset()
                #expect(ada.managedObjectContext == nil)
                #expect(try context.named("Author", "Ada") !== ada)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func deletedRowsAreMissingToThoseWhoAsk(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let id = try context.named("Book", "D").objectID
            let theirs = try scene.theirs.run { () throws in
                let book = scene.theirs.object(with: id)
                #expect(book.isFault)
                return book
            }
            context.delete(context.object(with: id))
            try context.save()
            scene.theirs.performAndWait {
                #expect(throws: NSError.self) { try scene.theirs.existingObject(with: id) }
                #expect(theirs.value(forKey: "name") == nil, "an inaccessible fault shows nil")
            }
        }
    }

    // MARK: Taking back

    @Test(arguments: StoreKind.withObjects)
    func rollbackTakesEverythingBack(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let before = try context.library()
            let ada = try context.named("Author", "Ada")
            ada.setValuesForKeys(["height": 2.0, "tags": ["q"], "mentor": try context.named("Author", "Bea")])
            ada.mutableOrderedSetValue(forKey: "books").removeObject(at: 0)
            context.delete(try context.named("Author", "Cyd"))
            let new = context.make("Book", ["name": "New", "pages": 1, "author": ada])
            context.processPendingChanges()
            context.rollback()
            #expect(!context.hasChanges && new.managedObjectContext == nil)
            try expect(context.library(), equals: before)
            try context.save()
            try expect(scene.stored { try $0.library() }, equals: before)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func undoAndRedoGoThroughTheStore(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            let before = try context.library()
            manager.beginUndoGrouping()
            try context.named("Book", "A").setValue("AA", forKey: "name")
            context.delete(try context.named("Book", "D"))
            _ = context.make("Book", ["name": "E", "pages": 5, "author": try context.named("Author", "Cyd")])
            context.processPendingChanges()
            manager.endUndoGrouping()
            let after = try context.library()
            try context.save()
            try expect(scene.stored { try $0.library() }, equals: after)
            context.undo()
            try expect(context.library(), equals: before)
            try context.save()
            try expect(scene.stored { try $0.library() }, equals: before)
            context.redo()
            try context.save()
            try expect(scene.stored { try $0.library() }, equals: after)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func whatCameAndWentBeforeASaveIsNoneOfTheStoresBusiness(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let before = try context.library()
            let ada = try context.named("Author", "Ada")
            let book = context.make("Book", ["name": "E", "pages": 1, "author": ada])
            context.delete(book)
            try context.save()
            try expect(scene.stored { try $0.library() }, equals: before)
            expect(ada.members("books"), equals: ["C", "A", "B"])
        }
    }
}
