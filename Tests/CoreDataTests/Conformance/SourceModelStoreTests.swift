// Every source model makes a store that holds objects of all its entities: in the gate each third, as the steps of real
// models' generated code read all of them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct SourceModelStoreTests {
    static let paths = SharedFiles.paths(under: "models", suffix: ".xcdatamodel")

    private func prepared(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        RawBytesTransformer.register()
        for entity in model.entities {
            for attribute in entity.attributesByName.values
            where attribute.attributeType == .transformableAttributeType {
                attribute.valueTransformerName = RawBytesTransformer.name
            }
        }
        return model
    }

    @Test(arguments: sample(paths, each: 3))
    func aStoreOfTheModelHoldsAllItsEntities(path: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        let model = prepared(try NSManagedObjectModel.read(from: SharedFiles.url(path)))
        let opened = try OpenStore(url, model)
        let objects = SampleObjects(opened.context, model)
        try #require(opened.save() == [])
        let entities = model.entities.map(InspectedEntity.init)
        let inspector = try StoreInspector(url, entities)
        let found1 = try inspector.violations()
        expect(found1, equals: [])
        try expect(inspector.objects().count, equals: objects.all.count)
        let found2 = try ObjectComparison.differences(opened, inspector)
        expect(found2, equals: [])
        let found3 = try opened.coordinator.verify(opened.store)
        expect(found3, equals: [])
        try opened.close()

        let cached = prepared(try #require(try NSPersistentStoreCoordinator.model(inStoreAt: url)))
        expect(cached.entityVersionHashesByName, equals: model.entityVersionHashesByName)
        let reopened = try OpenStore(url, cached)
        let found4 = try ObjectComparison.differences(reopened, inspector)
        expect(found4, equals: [])
        let found5 = try reopened.coordinator.verify(reopened.store)
        expect(found5, equals: [])
    }

    @Test(arguments: sample(paths, each: 6))
    func mandatoryPropertiesAreEnough(path: String) throws {
        let folder = try TemporaryFolder()
        let model = prepared(try NSManagedObjectModel.read(from: SharedFiles.url(path)))
        let opened = try OpenStore(folder.file("Store.sqlite"), model)
        let objects = SampleObjects(opened.context, model, onlyMandatory: true)
        try #require(opened.save() == [])
        let inspector = try StoreInspector(
            folder.file("Store.sqlite"), model.entities.map(InspectedEntity.init))
        let found1 = try inspector.violations()
        expect(found1, equals: [])
        try expect(inspector.objects().count, equals: objects.all.count)
        let found2 = try ObjectComparison.differences(opened, inspector)
        expect(found2, equals: [])
    }
}
