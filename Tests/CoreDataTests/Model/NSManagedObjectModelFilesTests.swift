// Models from and to files.

import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataTestSupport
import Testing

@Suite struct NSManagedObjectModelFilesTests {
    @Test(arguments: ["momd", "mom", "xcdatamodeld", "xcdatamodel"])
    func whatIsWrittenIsReadBack(kind: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Cars.\(kind)")
        let model = SampleModel.make()
        if kind.hasPrefix("xcdatamodel") {
            // A source model has no room for the order of a fetched property.
            let cars =
                model.entitiesByName["Owner"]?.propertiesByName["bigCars"] as? NSFetchedPropertyDescription
            cars?.fetchRequest?.sortDescriptors = nil
        }
        try model.write(to: file)
        let copy = try #require(NSManagedObjectModel(contentsOf: file))
        expect(copy, equals: model)
        expect(copy.entityVersionHashesByName, equals: model.entityVersionHashesByName)
        try expect(
            NSManagedObjectModel.__checksumsForVersionedModel(at: file),
            equals: ["Cars": model.versionChecksum])
    }

    @Test func aMissingFileIsNoModel() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("None.momd")
        #expect(NSManagedObjectModel(contentsOf: file) == nil)
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel.read(from: file) }
        expect(error?.domain, equals: NSCocoaErrorDomain)
        expect(error?.code, equals: CocoaError.fileReadNoSuchFile.rawValue)
        expect(error?.userInfo[NSFilePathErrorKey] as? String, equals: file.path)
    }

    @Test func aBrokenModelSaysWhatIsWrong() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Broken.xcdatamodel")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="A" representedClassName="A">
                    <relationship name="r" optional="YES" maxCount="1" destinationEntity="Gone"/>
                </entity>
            </model>
            """
        try text.write(to: file.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        #expect(NSManagedObjectModel(contentsOf: file) == nil)
        let error = try #require(throws: NSError.self) { try NSManagedObjectModel.read(from: file) }
        expect(error.code, equals: CocoaError.fileReadCorruptFile.rawValue)
        expect(error.userInfo["entity"] as? String, equals: "A")
        expect(error.userInfo["property"] as? String, equals: "r")
        expect((error.userInfo["reason"] as? String)?.contains("Gone"), equals: true)
    }

    /// A model of two versions, of which the older can't be read.
    private func bundle(in folder: TemporaryFolder, _ current: String) throws -> URL {
        let file = folder.file("Dogs.xcdatamodeld")
        let model = ModelSchema(entities: [EntitySchema(name: "Dog")])
        try SourceModelBundle.write(
            [
                ModelVersion(name: "1", schema: model),
                ModelVersion(name: "2", schema: model, isCurrent: true),
            ],
            to: file)
        for (version, text) in [("1", "<model><entity/></model>"), ("2", current)] {
            try Data(text.utf8).write(to: file.appendingPathComponent("\(version).xcdatamodel/contents"))
        }
        return file
    }

    @Test func anOlderVersionThatCantBeReadIsLeftOut() throws {
        let folder = try TemporaryFolder()
        let file = try bundle(in: folder, "<model><entity name=\"Dog\"/></model>")
        let model = try #require(NSManagedObjectModel(contentsOf: file))
        expect(model.entitiesByName.keys.sorted(), equals: ["Dog"])
        let sums = try NSManagedObjectModel.__checksumsForVersionedModel(at: file)
        expect(sums, equals: ["2": model.versionChecksum])
        let reference = NSManagedObjectModelReference(
            fileURL: file, versionChecksum: model.versionChecksum)
        try expect(reference.resolve(), equals: model)
    }

    @Test func remarksOnASourceAreTheModels() throws {
        let folder = try TemporaryFolder()
        let text =
            "<model><entity name=\"Dog\" smell=\"strong\"><attribute name=\"age\" attributeType=\"Integer 16\" "
            + "defaultValueString=\"YES\"/></entity></model>"
        let file = try bundle(in: folder, text)
        let model = try NSManagedObjectModel.read(from: file)
        expect(model.remarks.map(\.property), equals: [nil, "age"])
        #expect(model.remarks.allSatisfy { $0.entity == "Dog" && !$0.isError })
        expect(
            model.remarks.map(\.message),
            equals: [
                "<entity> has \"smell\", which isn't known: it is kept and not used",
                "\"defaultValueString\" is \"YES\", which is taken for 1",
            ])
        expect(model.entitiesByName["Dog"]?.attributesByName["age"]?.defaultValue as? Int, equals: 1)

        let copy = folder.file("Copy.xcdatamodel")
        let changed = try #require(model.copy() as? NSManagedObjectModel)
        changed.entitiesByName["Dog"]?.isAbstract = true
        try changed.write(to: copy)
        let written = try String(contentsOf: copy.appendingPathComponent("contents"), encoding: .utf8)
        #expect(written.contains("<entity name=\"Dog\" smell=\"strong\" isAbstract=\"YES\">"))
        #expect(written.contains("defaultValueString=\"YES\""))
    }

    @Test func anUnknownKindIsRefused() throws {
        let folder = try TemporaryFolder()
        #expect(throws: NSError.self) { try SampleModel.make().write(to: folder.file("Cars.txt")) }
    }
}

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct RealModelTests {
    static let paths =
        SharedFiles.paths(under: "models", suffix: ".xcdatamodel")
        + SharedFiles.paths(under: "compiled", suffix: ".mom")
        + SharedFiles.paths(under: "stores", suffix: ".mom")

    @Test(arguments: paths)
    func aModelSurvivesTheClasses(path: String) throws {
        let url = try SharedFiles.url(path)
        let schema = try ModelFile.read(url)
        let model = try NSManagedObjectModel.read(from: url)
        expect(model.schema, equals: schema)
        expect((model.copy() as? NSManagedObjectModel)?.schema, equals: schema)
        model.freeze()
        expect(model.schema, equals: schema)
        #expect(model.entities.allSatisfy { $0.versionHash.count == 32 })
    }

    /// A store that Apple's framework made, whose model has a fetched property with an order.
    @Test func aSourceOfAStoresModelTellsWhatItLacks() throws {
        let folder = try TemporaryFolder()
        let store = try folder.copy(ofStore: SharedFiles.url("stores/CoreDataPlus/SampleModel2_V2.sqlite"))
        let model = try #require(try NSPersistentStoreCoordinator.model(inStoreAt: store))
        let file = folder.file("A.xcdatamodeld")
        #expect(throws: (any Error).self) { try model.write(to: file) }
        let remarks = try model.writeSource(to: file)
        let order =
            "Author.feedbacks: a source model can't state a fetch request's order, offset, properties, groups or "
            + "prefetching; it is left out"
        #expect(remarks.contains(order), "\(remarks)")
        let again = try NSManagedObjectModel.read(from: file)
        expect(again.entitiesByName.keys.sorted(), equals: model.entitiesByName.keys.sorted())
        for (name, entity) in model.entitiesByName {
            let isTold = remarks.contains { $0.hasPrefix("\(name): the source has another version hash") }
            #expect((again.entitiesByName[name]?.versionHash == entity.versionHash) != isTold, "\(name)")
        }
        let property =
            again.entitiesByName["Author"]?.propertiesByName["feedbacks"] as? NSFetchedPropertyDescription
        #expect(property?.fetchRequest?.entityName == "Feedback" && property?.fetchRequest?.predicate != nil)
        #expect(throws: NSError.self) { try model.writeSource(to: folder.file("A.mom")) }
    }
}
