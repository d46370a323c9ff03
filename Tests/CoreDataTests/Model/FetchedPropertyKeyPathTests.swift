// Swift key paths in the requests that a model holds.

import CoreData
import CoreDataPredicate
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

/// A class of the model's that no other model in use has.
final class ShelfOfKeyPaths: NSManagedObject {
    var title: String {
        get { value(forKey: "title") as? String ?? "" }
        set { setValue(newValue, forKey: "title") }
    }
}

@Suite(.serialized) struct FetchedPropertyKeyPathTests {
    private func model() -> NSManagedObjectModel {
        ShelfOfKeyPaths.registerClass()
        let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
        entity.name = "Shelf"
        entity.managedObjectClassName = "ShelfOfKeyPaths"
        let title = NSAttributeDescription()
        (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
        let others = NSFetchedPropertyDescription()
        others.name = "others"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Shelf")
        request.predicate = NSPredicate(format: "SELF != $FETCH_SOURCE")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \ShelfOfKeyPaths.title, ascending: false)]
        others.fetchRequest = request
        entity.properties = [title, others]
        model.entities = [entity]
        return model
    }

    @Test func aFetchedPropertyIsSortedByAKeyPath() throws {
        let stack = try TestStack(model: model())
        try stack.context.run { () throws in
            for title in ["a", "b", "c"] { _ = stack.context.make("Shelf", ["title": title]) }
            try stack.context.save()
            let shelves = try stack.context.all("Shelf")
            let first = try #require(shelves.first { $0["title"] as? String == "a" })
            let others = try #require(first["others"] as? [NSManagedObject])
            expect(others.map { $0["title"] as? String }, equals: ["c", "b"])
        }
    }

    @Test func aModelThatIsntInUseHasASchema() throws {
        let entity = try #require(model().schema.entities.first)
        let kinds = entity.properties.map(\.kind)
        let requests = kinds.compactMap { if case .fetched(let request) = $0 { request } else { nil } }
        expect(requests.map { $0.sortKeys.map(\.keyPath) }, equals: [["title"]])
    }
}
