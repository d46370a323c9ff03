// Versions of models whose hashes decide nothing, as those of derived attributes: what a file has must fit.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct UnsettledVersionTests {
    private static func model(naming name: String) -> NSManagedObjectModel {
        let book = NSEntityDescription("Book", [NSAttributeDescription(name, .stringAttributeType)])
        book.properties.append(
            DerivedAttributeTests.derived("plain", .stringAttributeType, "canonical:(\(name))"))
        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }

    /// Entities that the model lacks show that the file is of another version, with which migrations begin.
    @Test(arguments: [StoreKind.sqlite, .xml, .binary]) func aFileOfAnotherVersionIsKnown(_ kind: StoreKind)
        throws
    {
        let container = try kind.makeContainer(Self.model(naming: "title"))
        _ = container.viewContext.make("Book", ["title": "Ä"])
        try container.viewContext.save()
        let url = try #require(container.store.url)
        try container.persistentStoreCoordinator.remove(container.store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(naming: "name"))
        let error = try #require(
            thrownError {
                try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
            })
        expect(error.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        let ignoring = thrownError {
            try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: url,
                options: [NSIgnorePersistentStoreVersioningOption: true])
        }
        expect(ignoring?.code, equals: NSPersistentStoreIncompatibleSchemaError)
    }
}
