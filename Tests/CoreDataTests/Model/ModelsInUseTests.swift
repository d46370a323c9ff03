// The changes that a model in use still allows, and the answers that it gives.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class Unmodelled: NSManagedObject {}

private enum Palette {
    /// Foundation's archiver ends the process when it asks for the name of such a class.
    final class Tint: NSObject, NSCoding {
        let parts: [Tint]

        init(parts: [Tint] = []) { self.parts = parts }
        init?(coder: NSCoder) { parts = coder.decodeObject(forKey: "parts") as? [Tint] ?? [] }
        func encode(with coder: NSCoder) { coder.encode(NSArray(array: parts), forKey: "parts") }
    }
}

@Suite struct ModelsInUseTests {
    @Test func userInfoOfAFetchedPropertyMayBeSet() throws {
        let model = CompanyModel.make()
        let namesakes = NSFetchedPropertyDescription()
        namesakes.name = "namesakes"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == $FETCHED_PROPERTY.userInfo.word")
        namesakes.fetchRequest = request
        model.entitiesByName["Note"]?.properties.append(namesakes)
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            for name in ["Ann", "Bob"] { _ = stack.context.make("Person", ["name": name]) }
            let note = stack.context.make("Note")
            try stack.context.save()
            for name in ["Ann", "Bob"] {
                namesakes.userInfo = ["word": name]
                stack.context.refresh(note, mergeChanges: false)
                let found = note.value(forKey: "namesakes") as? [NSManagedObject]
                expect(found?.map { $0.value(forKey: "name") as? String }, equals: [name])
            }
        }
    }

    @Test func inferredMappingsHaveTheUserInfo() throws {
        let (source, destination) = (CompanyModel.make(), CompanyModel.make())
        let company = try #require(destination.entitiesByName["Company"])
        company.userInfo = ["word": "new"]
        company.attributesByName["name"]?.userInfo = ["kind": "title"]
        company.properties += [NSAttributeDescription("more", .string)]
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
        let found = try #require(mapping.entityMappingsByName["IEM_Transform_Company"])
        expect(found.userInfo?["word"] as? String, equals: "new")
        let name = found.attributeMappings?.first { $0.name == "name" }
        expect(name?.userInfo?["kind"] as? String, equals: "title")
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory, .binary, .xml] + StoreKind.onServers)
    func aDefaultValueOfAClientsClass(_ kind: StoreKind) throws {
        let tint = NSAttributeDescription("tint", .transformableAttributeType)
        tint.defaultValue = TestColor(red: 12)
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Thing", [tint])]
        let container = try kind.makeContainer(model)
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let thing = context.make("Thing")
            expect((thing.value(forKey: "tint") as? TestColor)?.red, equals: 12)
            try context.save()
            context.reset()
            let found = try #require(try context.all("Thing").first)
            expect((found.value(forKey: "tint") as? TestColor)?.red, equals: 12)
        }
        let copy = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: false)
        #expect(!copy.isEmpty)
    }

    @Test func aDefaultValueOfAClassInsideAnotherType() throws {
        let tint = NSAttributeDescription("tint", .transformableAttributeType)
        tint.defaultValue = Palette.Tint(parts: [Palette.Tint()])
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Thing", [tint])]
        let container = try StoreKind.sqlite.makeContainer(model)
        let url = try #require(container.store.url)
        let kept = try #require(try NSPersistentStoreCoordinator.model(inStoreAt: url))
        let attribute = try #require(kept.entitiesByName["Thing"]?.attributesByName["tint"])
        #expect(attribute.attributeType == .transformableAttributeType && attribute.defaultValue == nil)
    }

    @Test func aClassWithoutAnEntityHasAnEmptyDescription() {
        #expect(Unmodelled.entity().name == nil)
        #expect(Unmodelled.entity().properties.isEmpty)
    }
}
