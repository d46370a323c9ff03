// A migration leaves the old store or the new one, whole, whatever ends it.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MigrationSafetyTests {
    /// A filled store of the first version that nobody has open.
    private func makeStore(_ folder: TemporaryFolder, _ type: String = NSSQLiteStoreType) throws -> URL {
        let url = folder.file("Library.store")
        let context = try LibraryModels.open(url, LibraryModels.first(), type)
        try LibraryModels.fill(context, books: 40)
        try LibraryModels.close(context)
        return url
    }

    @Test(arguments: [2, 17, 41, 95], [NSSQLiteStoreType, NSXMLStoreType])
    func aKilledMigrationLeavesTheOldStore(after steps: Int, type: String) async throws {
        let folder = try TemporaryFolder()
        let url = try makeStore(folder, type)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = url.path as String, steps = steps as Int, type = type as String] in
            try LibraryModels.replace(path, type, killingAfter: steps)
        }
        try FilledStore.age(folder.url)
        let old = try LibraryModels.open(url, LibraryModels.first(), type)
        try expect(LibraryModels.count("Book", old), equals: 40)
        try LibraryModels.close(old)
        try LibraryModels.replace(url.path, type)
        let new = try LibraryModels.open(url, LibraryModels.second(), type)
        try expect(LibraryModels.count("Book", new), equals: 40)
        try expect(LibraryModels.count("Author", new), equals: 5)
        try LibraryModels.close(new)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        expect(left.filter { $0.contains(".draft-") }, equals: [])
    }

    @Test func aStoreThatOthersHaveOpenIsNotReplaced() throws {
        let folder = try TemporaryFolder()
        let url = try makeStore(folder)
        let other = try LibraryModels.open(url, LibraryModels.first())
        try expect(LibraryModels.count("Book", other), equals: 40)
        let error = #expect(throws: CocoaError.self) {
            try LibraryModels.replace(url.path)
        }
        expect(error?.errorCode, equals: NSMigrationManagerDestinationStoreError)
        try expect(LibraryModels.count("Book", other), equals: 40)
        try LibraryModels.close(other)
        try LibraryModels.replace(url.path)
        try expect(LibraryModels.count("Author", LibraryModels.open(url, LibraryModels.second())), equals: 5)
    }

    /// Values in files of their own go along, and those of the old store go with it.
    @Test func externalValuesFollow() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Pictures.sqlite")
        func model(_ key: String) -> NSManagedObjectModel {
            let picture = NSAttributeDescription(key, .binaryData)
            picture.allowsExternalBinaryDataStorage = true
            let model = NSManagedObjectModel()
            model.entities = [
                NSEntityDescription("Picture", [NSAttributeDescription("number", .integer32), picture])
            ]
            return model
        }
        let context = try LibraryModels.open(url, model("bytes"))
        try context.performAndWait {
            for number in 0..<5 {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
                object.setValue(number, forKey: "number")
                object.setValue(Data(repeating: UInt8(number), count: 300_000), forKey: "bytes")
            }
            try context.save()
        }
        try LibraryModels.close(context)
        let (old, new) = (model("bytes"), model("content"))
        let mapping = NSMappingModel()
        let picture = LibraryModels.entityMapping(
            "PictureToPicture", "Picture", "Picture", .transformEntityMappingType, old, new)
        picture.attributeMappings = [
            LibraryModels.property("number", "$source.number"),
            LibraryModels.property("content", "$source.bytes"),
        ]
        mapping.entityMappings = [picture]
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, type: .sqlite, mapping: mapping, to: url, type: .sqlite)
        let after = try LibraryModels.open(url, model("content"))
        try after.performAndWait {
            let objects = try after.fetch(NSFetchRequest<NSManagedObject>(entityName: "Picture"))
            expect(objects.count, equals: 5)
            for object in objects {
                let number = object.value(forKey: "number") as? Int ?? -1
                expect(
                    object.value(forKey: "content") as? Data,
                    equals: Data(repeating: UInt8(number), count: 300_000))
            }
        }
        let support = folder.url.appendingPathComponent(".Pictures_SUPPORT/_EXTERNAL_DATA")
        try expect(FileManager.default.contentsOfDirectory(atPath: support.path).count, equals: 5)
    }
}
