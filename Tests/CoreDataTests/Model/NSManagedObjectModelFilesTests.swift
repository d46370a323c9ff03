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
        #expect(copy == model)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(
            try NSManagedObjectModel.__checksumsForVersionedModel(at: file) == ["Cars": model.versionChecksum]
        )
    }

    @Test func aMissingFileIsNoModel() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("None.momd")
        #expect(NSManagedObjectModel(contentsOf: file) == nil)
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel.read(from: file) }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == CocoaError.fileReadNoSuchFile.rawValue)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path)
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
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.userInfo["entity"] as? String == "A")
        #expect(error.userInfo["property"] as? String == "r")
        #expect((error.userInfo["reason"] as? String)?.contains("Gone") == true)
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
        #expect(model.schema == schema)
        #expect((model.copy() as? NSManagedObjectModel)?.schema == schema)
        model.freeze()
        #expect(model.schema == schema)
        #expect(model.entities.allSatisfy { $0.versionHash.count == 32 })
    }
}
