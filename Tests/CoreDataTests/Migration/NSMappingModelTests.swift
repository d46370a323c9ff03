// Mapping models as objects: files, bundles, and what the classes keep.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct NSMappingModelTests {
    @Test func everythingIsKeptInFiles() throws {
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let mapping = LibraryModels.mapping(old, new)
        mapping.entityMappings[1].attributeMappings?[0].userInfo = ["why": "because"]
        for entity in mapping.entityMappings {
            // Files keep properties sorted by name.
            entity.attributeMappings?.sort { ($0.name ?? "") < ($1.name ?? "") }
        }
        let folder = try TemporaryFolder()
        for name in ["Library.cdm", "Library.xcmappingmodel"] {
            let file = folder.file(name)
            try mapping.write(to: file, sourceModel: old, destinationModel: new)
            let read = try #require(NSMappingModel(contentsOf: file))
            expect(read.entityMappings.count, equals: 4)
            for (kept, entity) in zip(mapping.entityMappings, read.entityMappings) {
                #expect(entity.name == kept.name && entity.mappingType == kept.mappingType)
                expect(entity.sourceEntityName, equals: kept.sourceEntityName)
                expect(entity.destinationEntityName, equals: kept.destinationEntityName)
                expect(entity.sourceEntityVersionHash, equals: kept.sourceEntityVersionHash)
                expect(entity.destinationEntityVersionHash, equals: kept.destinationEntityVersionHash)
                expect(entity.entityMigrationPolicyClassName, equals: kept.entityMigrationPolicyClassName)
                expect(entity.userInfo as? [String: String], equals: kept.userInfo as? [String: String])
                #expect(entity.attributeMappings?.map(\.name) == kept.attributeMappings?.map(\.name) ?? [])
                #expect(
                    entity.attributeMappings?.map(\.valueExpression)
                        == kept.attributeMappings?.map(\.valueExpression) ?? [])
                #expect(
                    entity.relationshipMappings?.map(\.valueExpression)
                        == kept.relationshipMappings?.map(\.valueExpression) ?? [])
            }
            expect(
                read.entityMappings[1].attributeMappings?.compactMap { $0.userInfo?["why"] as? String },
                equals: ["because"])
            expect(read.entityMappingsByName["MemberToReader"]?.destinationEntityName, equals: "Reader")
        }
        try mapping.write(to: folder.file("Other.cdm"))
        try expect(NSMappingModel.read(from: folder.file("Other.cdm")).entityMappings.count, equals: 4)
    }

    @Test func mappingModelsThatSayTheSameAreEqual() throws {
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let folder = try TemporaryFolder()
        let file = folder.file("Library.cdm")
        try LibraryModels.mapping(old, new).write(to: file, sourceModel: old, destinationModel: new)
        let read = try #require(NSMappingModel(contentsOf: file))
        let again = try #require(NSMappingModel(contentsOf: file))
        #expect(read.isEqual(again) && read == again && read.hash == again.hash)
        again.entityMappings[0].name = "Another"
        #expect(read != again && !read.isEqual("Library"))
    }

    @Test func whatCantBeReadOrWrittenSaysWhy() throws {
        let folder = try TemporaryFolder()
        #expect(NSMappingModel(contentsOf: nil) == nil)
        #expect(NSMappingModel(contentsOf: folder.file("None.cdm")) == nil)
        let missing = #expect(throws: CocoaError.self) {
            try NSMappingModel.read(from: folder.file("None.cdm"))
        }
        expect(missing?.code, equals: .fileReadNoSuchFile)
        try Data("no archive".utf8).write(to: folder.file("Broken.cdm"))
        let broken = #expect(throws: CocoaError.self) {
            try NSMappingModel.read(from: folder.file("Broken.cdm"))
        }
        #expect(broken?.code == .fileReadCorruptFile && broken?.userInfo[NSFilePathErrorKey] != nil)
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let mapping = LibraryModels.mapping(old, new)
        let other = #expect(throws: CocoaError.self) {
            try mapping.write(
                to: folder.file("Wrong.xcmappingmodel"), sourceModel: new, destinationModel: old)
        }
        expect(other?.code, equals: .fileWriteUnknown)
        let kind = #expect(throws: CocoaError.self) { try mapping.write(to: folder.file("Wrong.mom")) }
        expect(kind?.code, equals: .fileWriteUnknown)
    }

    @Test func bundlesAreSearchedByVersionHashes() throws {
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let mapping = LibraryModels.mapping(old, new)
        // Sorts first, and fits as well, but has no mapping to most of what changed.
        let partial = NSMappingModel()
        partial.entityMappings = [mapping.entityMappings[0]]
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        try partial.write(to: first.file("A.cdm"))
        try partial.write(to: second.file("A.cdm"))
        try mapping.write(to: second.file("B.cdm"))
        let alone = try #require(Bundle(path: first.url.path))
        let one = NSMappingModel(from: [alone], forSourceModel: old, destinationModel: new)
        expect(one?.entityMappings.count, equals: 1)
        let bundle = try #require(Bundle(path: second.url.path))
        let found = NSMappingModel(from: [bundle], forSourceModel: old, destinationModel: new)
        expect(found?.entityMappings.count, equals: 4)
        #expect(NSMappingModel(from: [bundle], forSourceModel: new, destinationModel: old) == nil)
        #expect(NSMappingModel(from: [bundle], forSourceModel: nil, destinationModel: new) == nil)
        #expect(NSMappingModel(from: nil, forSourceModel: new, destinationModel: old) == nil)
    }

    /// A file that is as it was isn't compiled again: here its bytes change, but not what tells of a change.
    @Test func aSourceIsCompiledOnce() throws {
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let folder = try TemporaryFolder()
        let url = folder.file("Library.xcmappingmodel")
        let mapping = LibraryModels.mapping(old, new)
        // Files keep properties sorted by name.
        for entity in mapping.entityMappings {
            entity.attributeMappings?.sort { ($0.name ?? "") < ($1.name ?? "") }
        }
        try mapping.write(to: url, sourceModel: old, destinationModel: new)
        let contents = url.appendingPathComponent("xcmapping.xml").path
        let bundle = try #require(Bundle(path: folder.url.path))
        func found() -> Int? {
            NSMappingModel(from: [bundle], forSourceModel: old, destinationModel: new)?.entityMappings.count
        }
        expect(found(), equals: 4)
        var facts = stat()
        try #require(stat(contents, &facts) == 0)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: contents))
        try file.write(contentsOf: Data("damaged".utf8))
        try file.close()
        var times = [facts.st_atim, facts.st_mtim]
        try #require(utimensat(AT_FDCWD, contents, times, 0) == 0)
        expect(found(), equals: 4)
        times[1].tv_sec += 1
        try #require(utimensat(AT_FDCWD, contents, times, 0) == 0)
        expect(found(), equals: nil)
        try FileManager.default.removeItem(at: url)
        try mapping.write(to: url, sourceModel: old, destinationModel: new)
        expect(found(), equals: 4)
    }

    /// Silence would have a store migrated by inference, which loses what the mapping model was written to keep.
    @Test func aDamagedFileInABundleIsNamed() throws {
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let folder = try TemporaryFolder()
        try Data("damaged".utf8).write(to: folder.file("Library.cdm"))
        let bundle = try #require(Bundle(path: folder.url.path))
        let said = Mutex<[String]>([])
        Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) {
            #expect(NSMappingModel(from: [bundle], forSourceModel: old, destinationModel: new) == nil)
        }
        #expect(said.withLock { $0 }.contains { $0.contains("Library.cdm") })
    }

    @Test func newMappingsAreEmpty() {
        let entity = NSEntityMapping()
        expect(entity.mappingType, equals: .undefinedEntityMappingType)
        #expect(entity.attributeMappings == nil && entity.relationshipMappings == nil)
        #expect(entity.sourceExpression == nil && entity.userInfo == nil)
        #expect(NSPropertyMapping().valueExpression == nil)
        #expect(NSMappingModel().entityMappings.isEmpty && NSMappingModel().entityMappingsByName.isEmpty)
        expect(
            [
                NSEntityMappingType.undefinedEntityMappingType, .customEntityMappingType,
                .addEntityMappingType,
                .removeEntityMappingType, .copyEntityMappingType, .transformEntityMappingType,
            ].map(\.rawValue), equals: [0, 1, 2, 3, 4, 5])
    }
}
