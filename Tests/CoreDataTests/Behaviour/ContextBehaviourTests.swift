// Several contexts over one store: children, merging, conflicts and unique values, alike in every store.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct ContextBehaviourTests {
    /// Changes of every kind.
    private func edit(_ context: NSManagedObjectContext) throws {
        let (ada, cyd) = (try context.named("Author", "Ada"), try context.named("Author", "Cyd"))
        ada.setValuesForKeys(["tags": ["child"], "height": 1.5, "portrait": Data([9])])
        ada.setValue(["city": "Bonn", "floor": 0] as [String: Any], forKey: "place")
        ada.mutableOrderedSetValue(forKey: "books").moveObjects(at: IndexSet(integer: 0), to: 2)
        ada.mutableSetValue(forKey: "friends").remove(cyd)
        ada.mutableSetValue(forKey: "liked").add(try context.named("Genre", "Crime"))
        _ = context.make("Novel", ["name": "E", "pages": 7, "hero": "Max", "author": cyd])
        context.delete(try context.named("Book", "D"))
        context.processPendingChanges()
    }

    @Test(arguments: StoreKind.withObjects)
    func aChildReadsThroughItsParentAndSavesIntoIt(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let before = try context.library()
            let child = scene.child(of: context)
            let after = try child.run { () throws in
                try expect(child.library(), equals: before)
                try edit(child)
                return try child.library()
            }
            try expect(context.library(), equals: before)
            try child.run { () throws in try child.save() }
            #expect(try context.library() == after && context.hasChanges)
            try expect(scene.stored { try $0.library() }, equals: before)
            try context.save()
            try expect(scene.stored { try $0.library() }, equals: after)
            #expect(try child.run { () throws in try !child.hasChanges && child.library() == after })
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func aChildThatIsDroppedChangesNothing(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let before = try context.library()
            try {
                let child = scene.child(of: context)
                try child.run { () throws in try edit(child) }
            }()
            #expect(try context.library() == before && !context.hasChanges)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func mergingShowsWhatAnotherContextSaved(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            // Everything is read, so that everything must be renewed.
            let objects = try ["Author", "Book", "Genre", "Publisher"].flatMap { try context.all($0) }
            _ = try context.library()
            let saved = Posted(.NSManagedObjectContextDidSave, scene.theirs)
            let after = try scene.theirs.run { () throws in
                try edit(scene.theirs)
                try scene.theirs.save()
                return try scene.theirs.library()
            }
            let note = Notification(
                name: .NSManagedObjectContextDidSave, object: scene.theirs, userInfo: saved.userInfo)
            context.mergeChanges(fromContextDidSave: note)
            try expect(difference(context.library(), after), equals: [])
            expect(objects.filter(\.isDeleted).map { $0.text("name") }, equals: ["D"])
            context.rollback()
            try context.named("Genre", "Poems").setValue("Verse", forKey: "name")
            try context.save()
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func mergingKeepsLocalChanges(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let ada = try context.named("Author", "Ada")
            ada.setValue(3.0, forKey: "height")
            let saved = Posted(.NSManagedObjectContextDidSave, scene.theirs)
            try scene.theirs.run { () throws in
                try scene.theirs.named("Author", "Ada").setValuesForKeys(["height": 4.0, "alive": false])
                try scene.theirs.save()
            }
            context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: scene.theirs, userInfo: saved.userInfo))
            #expect(
                ada.value(forKey: "height") as? Double == 3 && ada.value(forKey: "alive") as? Bool == false)
            try context.save()
            try scene.stored {
                let ada = try $0.named("Author", "Ada")
                expect(ada.value(forKey: "height") as? Double, equals: 3)
                expect(ada.value(forKey: "alive") as? Bool, equals: false)
            }
        }
    }

    // MARK: Conflicts

    private static let policies: [NSMergePolicyType] = [
        .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    @Test(arguments: StoreKind.allCases, policies)
    func conflictsEndTheSameInMemoryAndInTheStore(_ kind: StoreKind, _ type: NSMergePolicyType) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let ada = try context.named("Author", "Ada")
            expect(ada.members("friends"), equals: ["Bea", "Cyd"])
            try scene.theirs.run { () throws in
                let ada = try scene.theirs.named("Author", "Ada")
                ada.setValuesForKeys(["height": 4.0, "tags": ["theirs"], "alive": false])
                ada.mutableSetValue(forKey: "pupils").remove(try scene.theirs.named("Author", "Cyd"))
                try scene.theirs.save()
            }
            ada.setValuesForKeys(["height": 3.0, "tags": ["mine"], "portrait": Data([7])])
            context.mergePolicy = NSMergePolicy.error
            #expect(throws: NSError.self) { try context.save() }
            context.mergePolicy = NSMergePolicy(merge: type)
            try context.save()
            let stored = try scene.stored { try $0.named("Author", "Ada").everything }
            #expect(!context.hasChanges && ada.everything == stored)
            let mineWins =
                type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
            expect(ada.value(forKey: "tags") as? [String], equals: [mineWins ? "mine" : "theirs"])
            expect(ada.value(forKey: "alive") as? Bool, equals: (type == .overwriteMergePolicyType))
            expect(
                (ada.value(forKey: "portrait") as? Data == Data([7])),
                equals: (type != .rollbackMergePolicyType))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aDeleteMeetsAnUpdate(_ kind: StoreKind) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let ada = try context.named("Author", "Ada")
            _ = ada.text("name")
            try scene.theirs.run { () throws in
                try scene.theirs.named("Author", "Ada").setValue(9.0, forKey: "height")
                try scene.theirs.save()
            }
            context.delete(ada)
            let error = #expect(throws: NSError.self) { try context.save() }
            expect(error?.code, equals: NSManagedObjectMergeError)
            try expect(scene.stored { try $0.names("Author") }, equals: ["Ada", "Bea", "Cyd"])
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            try expect(
                scene.stored { try $0.names("Author") + $0.names("Book") }, equals: ["Bea", "Cyd", "D"])
        }
    }

    @Test(arguments: StoreKind.allCases, policies)
    func uniqueNamesFindTheirRow(_ kind: StoreKind, _ type: NSMergePolicyType) throws {
        try StoreScene.withLibrary(kind) { scene, context in
            let twin = context.make("Author", ["name": "Cyd", "height": 9.0, "tags": ["twin"]])
            _ = context.make("Book", ["name": "E", "pages": 1, "author": twin])
            let error = #expect(throws: NSError.self) { try context.save() }
            expect(error?.code, equals: NSManagedObjectConstraintMergeError)
            try expect(scene.stored { try $0.names("Book") }, equals: ["A", "B", "C", "D"])
            context.mergePolicy = NSMergePolicy(merge: type)
            try context.save()
            try expect(scene.stored { try $0.names("Author") }, equals: ["Ada", "Bea", "Cyd"])
            try expect(scene.stored { try $0.named("Author", "Cyd").members("books") }, equals: ["E"])
            let wins = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
            try scene.stored {
                let cyd = try $0.named("Author", "Cyd")
                expect(cyd.value(forKey: "height") as? Double, equals: (wins ? 9 : nil))
                expect(cyd.members("mentor"), equals: (wins ? [] : ["Ada"]))
            }
            try expect(difference(context.library(), scene.stored { try $0.library() }), equals: [])
        }
    }
}
