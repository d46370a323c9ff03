// Mapping models as objects: files, bundles, and what the classes keep.

import CoreData
import CoreDataTestSupport
import Foundation
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
            #expect(read.entityMappings.count == 4)
            for (kept, entity) in zip(mapping.entityMappings, read.entityMappings) {
                #expect(entity.name == kept.name && entity.mappingType == kept.mappingType)
                #expect(entity.sourceEntityName == kept.sourceEntityName)
                #expect(entity.destinationEntityName == kept.destinationEntityName)
                #expect(entity.sourceEntityVersionHash == kept.sourceEntityVersionHash)
                #expect(entity.destinationEntityVersionHash == kept.destinationEntityVersionHash)
                #expect(entity.entityMigrationPolicyClassName == kept.entityMigrationPolicyClassName)
                #expect(entity.userInfo as? [String: String] == kept.userInfo as? [String: String])
                #expect(entity.attributeMappings?.map(\.name) == kept.attributeMappings?.map(\.name) ?? [])
                #expect(
                    entity.attributeMappings?.map(\.valueExpression)
                        == kept.attributeMappings?.map(\.valueExpression) ?? [])
                #expect(
                    entity.relationshipMappings?.map(\.valueExpression)
                        == kept.relationshipMappings?.map(\.valueExpression) ?? [])
            }
            #expect(
                read.entityMappings[1].attributeMappings?.compactMap { $0.userInfo?["why"] as? String }
                    == ["because"])
            #expect(read.entityMappingsByName["MemberToReader"]?.destinationEntityName == "Reader")
        }
        try mapping.write(to: folder.file("Other.cdm"))
        #expect(try NSMappingModel.read(from: folder.file("Other.cdm")).entityMappings.count == 4)
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
        #expect(missing?.code == .fileReadNoSuchFile)
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
        #expect(other?.code == .fileWriteUnknown)
        let kind = #expect(throws: CocoaError.self) { try mapping.write(to: folder.file("Wrong.mom")) }
        #expect(kind?.code == .fileWriteUnknown)
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
        #expect(one?.entityMappings.count == 1)
        let bundle = try #require(Bundle(path: second.url.path))
        let found = NSMappingModel(from: [bundle], forSourceModel: old, destinationModel: new)
        #expect(found?.entityMappings.count == 4)
        #expect(NSMappingModel(from: [bundle], forSourceModel: new, destinationModel: old) == nil)
        #expect(NSMappingModel(from: [bundle], forSourceModel: nil, destinationModel: new) == nil)
        #expect(NSMappingModel(from: nil, forSourceModel: new, destinationModel: old) == nil)
    }

    @Test func newMappingsAreEmpty() {
        let entity = NSEntityMapping()
        #expect(entity.mappingType == .undefinedEntityMappingType)
        #expect(entity.attributeMappings == nil && entity.relationshipMappings == nil)
        #expect(entity.sourceExpression == nil && entity.userInfo == nil)
        #expect(NSPropertyMapping().valueExpression == nil)
        #expect(NSMappingModel().entityMappings.isEmpty && NSMappingModel().entityMappingsByName.isEmpty)
        #expect(
            [
                NSEntityMappingType.undefinedEntityMappingType, .customEntityMappingType,
                .addEntityMappingType,
                .removeEntityMappingType, .copyEntityMappingType, .transformEntityMappingType,
            ].map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }
}
