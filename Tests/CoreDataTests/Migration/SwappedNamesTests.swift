// Migrations in which properties exchange their names.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SwappedNamesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func url(_ kind: StoreKind) throws -> URL {
        StoreKind.register()
        return try #require(try StoreKind.place(kind.type, folder, "Store.sqlite"))
    }

    /// Two texts of which the first is unique, and two references; in the newer version with each other's names.
    private func model(isNewer: Bool) -> NSManagedObjectModel {
        let (item, place) = (NSEntityDescription(), NSEntityDescription())
        (item.name, place.name) = ("Item", "Place")
        let texts = ["p", "q"].map { NSAttributeDescription($0, .stringAttributeType) }
        item.properties = texts
        NSRelationshipDescription.connect(place, "xs", .many, item, "x", .one)
        NSRelationshipDescription.connect(place, "ys", .many, item, "y", .one)
        item.uniquenessConstraints = [["p"]]
        if isNewer {
            (item.versionHashModifier, place.versionHashModifier) = ("2", "2")
            let others = ["p": "q", "q": "p", "x": "y", "y": "x", "xs": "ys", "ys": "xs"]
            for property in item.properties + place.properties {
                property.renamingIdentifier = others[property.name]
            }
        }
        let model = NSManagedObjectModel()
        model.entities = [item, place]
        return model
    }

    @Test(arguments: [StoreKind.sqlite] + StoreKind.onServers)
    func valuesGoWithTheirNames(kind: StoreKind) throws {
        let opened = try OpenStore(url(kind), model(isNewer: false))
        try opened.context.run {
            let places = ["first", "second"].map { _ in opened.context.make("Place") }
            let item = opened.context.make("Item", ["p": "P", "q": "Q", "x": places[0], "y": places[1]])
            _ = opened.context.make("Item", ["p": "other", "y": places[0]])
            try #require(item.value(forKey: "x") as? NSManagedObject === places[0])
            try opened.context.save()
        }
        try opened.close()
        // Whoever doesn't migrate is told that it is another version.
        let error = try #require(throws: NSError.self) { try OpenStore(url(kind), model(isNewer: true)) }
        expect(error.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        let newer = try OpenStore(url(kind), model(isNewer: true), options: .migrating)
        try expect(newer.coordinator.verify(newer.store), equals: [])
        try newer.context.run {
            let item = try #require(try newer.context.all("Item", "q == 'P'").first)
            expect(item.value(forKey: "p") as? String, equals: "Q")
            let x = try #require(item.value(forKey: "x") as? NSManagedObject)
            expect((x.value(forKey: "xs") as? NSSet)?.count, equals: 1)
            expect((x.value(forKey: "ys") as? NSSet)?.count, equals: 0)
            let y = try #require(item.value(forKey: "y") as? NSManagedObject)
            expect((y.value(forKey: "xs") as? NSSet)?.count, equals: 1)
            expect((y.value(forKey: "ys") as? NSSet)?.count, equals: 1)
        }
        try newer.close()
        try OpenStore(url(kind), model(isNewer: true)).close()
    }
}
