// Relationships of every kind, from the first change to the reopened store, alike in every store.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct RelationshipBehaviourTests {
    /// Changes a filled library, expects the same of what the context shows, of what it shows once all is faults
    /// again, and of what another context reads.
    private func changing(
        _ kind: StoreKind, _ change: (NSManagedObjectContext) throws -> Void,
        expect: (NSManagedObjectContext) throws -> Void
    ) throws {
        let scene = try StoreScene(kind, LibraryModel.make())
        let context = scene.mine
        let before = try context.run { () throws in
            try Library.fill(context)
            try context.save()
            try change(context)
            try expect(context)
            let before = try context.library()
            try context.save()
            try expect(context)
            context.refreshAllObjects()
            try expect(context)
            #expect(try context.library() == before)
            return before
        }
        try scene.stored {
            try expect($0)
            #expect(try $0.library() == before)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func toOneAndItsInverse(_ kind: StoreKind) throws {
        try changing(kind) {
            let cyd = try $0.named("Author", "Cyd")
            cyd.setValue(try $0.named("Author", "Bea"), forKey: "mentor")
            try $0.named("Author", "Bea").setValue(nil, forKey: "mentor")
        } expect: { (context) throws in
            try expect(context.named("Author", "Bea").members("pupils"), equals: ["Cyd"])
            try expect(context.named("Author", "Ada").members("pupils"), equals: [])
            #expect(try context.named("Author", "Bea").value(forKey: "mentor") == nil)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func toManyFromEitherSide(_ kind: StoreKind) throws {
        try changing(kind) {
            let (bea, cyd) = (try $0.named("Author", "Bea"), try $0.named("Author", "Cyd"))
            try $0.named("Author", "Ada").mutableSetValue(forKey: "pupils").remove(bea)
            bea.mutableSetValue(forKey: "pupils").add(cyd)
        } expect: { (context) throws in
            #expect(try context.named("Author", "Bea").value(forKey: "mentor") == nil)
            try expect(context.named("Author", "Cyd").members("mentor"), equals: ["Bea"])
            try expect(context.named("Author", "Ada").members("pupils"), equals: [])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func oneToOneMovesOnBothSides(_ kind: StoreKind) throws {
        try changing(kind) {
            try $0.named("Author", "Ada").setValue(try $0.named("Author", "Bea"), forKey: "partner")
        } expect: { (context) throws in
            try expect(context.named("Author", "Bea").members("partnerOf"), equals: ["Ada"])
            #expect(try context.named("Author", "Cyd").value(forKey: "partner") == nil)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func orderedMembersKeepTheirPlaces(_ kind: StoreKind) throws {
        try changing(kind) {
            let ada = try $0.named("Author", "Ada")
            expect(ada.members("books"), equals: ["C", "A", "B"])
            let books = ada.mutableOrderedSetValue(forKey: "books")
            books.moveObjects(at: IndexSet(integer: 2), to: 0)
            books.insert($0.make("Book", ["name": "E", "pages": 1]), at: 1)
            books.add(try $0.named("Book", "D"))
            books.removeObject(at: 2)
        } expect: { (context) throws in
            try expect(context.named("Author", "Ada").members("books"), equals: ["B", "E", "A", "D"])
            try expect(context.named("Author", "Bea").members("books"), equals: [])
            #expect(try context.named("Book", "C").value(forKey: "author") == nil)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func manyToManyFromEitherSide(_ kind: StoreKind) throws {
        try changing(kind) {
            let poems = try $0.named("Genre", "Poems")
            poems.mutableSetValue(forKey: "books").remove(try $0.named("Book", "A"))
            try $0.named("Book", "D").mutableSetValue(forKey: "genres").add(poems)
            try $0.named("Book", "B").setValue(NSSet(), forKey: "genres")
        } expect: { (context) throws in
            try expect(context.named("Genre", "Poems").members("books"), equals: ["C", "D"])
            try expect(context.named("Genre", "Crime").members("books"), equals: ["A", "C", "D"])
            try expect(context.named("Book", "A").members("genres"), equals: ["Crime"])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func orderedManyToMany(_ kind: StoreKind) throws {
        try changing(kind) {
            let (a, c) = (try $0.named("Book", "A"), try $0.named("Book", "C"))
            expect(c.members("sequels"), equals: ["D", "B", "A"])
            c.mutableOrderedSetValue(forKey: "sequels").moveObjects(at: IndexSet(integer: 0), to: 2)
            a.mutableOrderedSetValue(forKey: "sequels").add(try $0.named("Book", "D"))
            try $0.named("Book", "B").mutableSetValue(forKey: "prequels").add(a)
        } expect: { (context) throws in
            try expect(context.named("Book", "C").members("sequels"), equals: ["B", "A", "D"])
            try expect(context.named("Book", "A").members("sequels"), equals: ["D", "B"])
            try expect(context.named("Book", "D").members("prequels"), equals: ["A", "C"])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func aRelationshipThatIsItsOwnInverse(_ kind: StoreKind) throws {
        try changing(kind) {
            let (bea, cyd) = (try $0.named("Author", "Bea"), try $0.named("Author", "Cyd"))
            expect(bea.members("friends"), equals: ["Ada"])
            bea.mutableSetValue(forKey: "friends").add(cyd)
            cyd.mutableSetValue(forKey: "friends").remove(try $0.named("Author", "Ada"))
            bea.mutableSetValue(forKey: "friends").add(bea)
        } expect: { (context) throws in
            try expect(context.named("Author", "Ada").members("friends"), equals: ["Bea"])
            try expect(context.named("Author", "Bea").members("friends"), equals: ["Ada", "Bea", "Cyd"])
            try expect(context.named("Author", "Cyd").members("friends"), equals: ["Bea"])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func relationshipsWithoutInverse(_ kind: StoreKind) throws {
        try changing(kind) {
            let ada = try $0.named("Author", "Ada")
            ada.mutableSetValue(forKey: "liked").add(try $0.named("Genre", "Crime"))
            ada.setValue(nil, forKey: "home")
            try $0.named("Author", "Bea").setValue(try $0.named("Publisher", "Press"), forKey: "home")
        } expect: { (context) throws in
            try expect(context.named("Author", "Ada").members("liked"), equals: ["Crime", "Poems"])
            #expect(try context.named("Author", "Ada").value(forKey: "home") == nil)
            try expect(context.named("Author", "Bea").members("home"), equals: ["Press"])
        }
    }

    // MARK: Delete rules

    @Test(arguments: StoreKind.withObjects)
    func cascadesAndNullifies(_ kind: StoreKind) throws {
        try changing(kind) {
            $0.delete(try $0.named("Author", "Ada"))
            $0.processPendingChanges()
        } expect: { (context) throws in
            try expect(context.names("Book"), equals: ["D"])
            try expect(context.names("Author"), equals: ["Bea", "Cyd"])
            #expect(try context.all("Author").allSatisfy { $0.value(forKey: "mentor") == nil })
            try expect(context.named("Author", "Bea").members("friends"), equals: [])
            try expect(context.named("Genre", "Poems").members("books"), equals: [])
            try expect(context.named("Book", "D").members("prequels"), equals: [])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func aMemberThatGoesLeavesTheOrder(_ kind: StoreKind) throws {
        try changing(kind) {
            $0.delete(try $0.named("Book", "A"))
            $0.processPendingChanges()
        } expect: { (context) throws in
            try expect(context.named("Author", "Ada").members("books"), equals: ["C", "B"])
            try expect(context.named("Book", "C").members("sequels"), equals: ["D", "B"])
            try expect(context.named("Genre", "Crime").members("books"), equals: ["B", "C", "D"])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func aDeniedDeleteSavesNothingUntilNobodyDenies(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind, LibraryModel.make())
        let context = scene.mine
        try context.run { () throws in
            try Library.fill(context)
            try context.save()
            let before = try context.library()
            context.delete(try context.named("Publisher", "Press"))
            _ = context.make("Genre", ["name": "Essay"])
            let error = #expect(throws: NSError.self) { try context.save() }
            expect(error?.code, equals: NSValidationRelationshipDeniedDeleteError)
            try expect(scene.stored { try $0.library() }, equals: before)
            // A relationship without inverse denies nothing, and is no reason to keep anything.
            try context.named("Author", "Ada").setValue(nil, forKey: "home")
            context.delete(try context.named("Book", "D"))
            try context.save()
        }
        try expect(
            scene.stored { try $0.names("Publisher") + $0.names("Genre") },
            equals: ["Crime", "Essay", "Poems"])
    }
}
