// Model files of every kind on disk.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ModelFileTests {
    @Test(arguments: ModelFile.extensions) func everyKindSurvives(_ suffix: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Rich." + suffix)
        var model = RichModel.sourceModel
        try ModelFile.write(model, to: url)
        if suffix.hasPrefix("mom") { model = model.compiled }
        try expect(ModelFile.read(url), equals: model)
        try expect(
            ModelFile.versions(of: url), equals: [ModelVersion(name: "Rich", schema: model, isCurrent: true)])
    }

    @Test(arguments: ["momd", "xcdatamodeld"]) func severalVersionsSurvive(_ suffix: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Many." + suffix)
        let versions = ["1", "2", "3"].map { name in
            ModelVersion(
                name: "Many " + name, schema: ModelSchema(entities: [EntitySchema(name: "E" + name)]),
                isCurrent: name == "2")
        }
        if suffix == "momd" {
            try CompiledModelBundle.write(versions, to: url)
        } else {
            try SourceModelBundle.write(versions, to: url)
        }
        try expect(ModelFile.versions(of: url), equals: versions)
        try expect(ModelFile.read(url), equals: versions[1].schema)
    }

    /// Archives made on Apple's systems may hold names with their accents apart, while Xcode wrote them together.
    @Test(arguments: ["momd", "xcdatamodeld"]) func theCurrentVersionIsFoundUnderTheNameOnDisk(
        _ suffix: String
    ) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Many." + suffix)
        let (stated, stored) = ("Mod\u{E8}le 2", "Mode\u{300}le 2")
        let model = ModelSchema(entities: [EntitySchema(name: "E")])
        let versions = [
            ModelVersion(name: "1", schema: ModelSchema()),
            ModelVersion(name: stated, schema: model, isCurrent: true),
        ]
        if suffix == "momd" {
            try CompiledModelBundle.write(versions, to: url)
        } else {
            try SourceModelBundle.write(versions, to: url)
        }
        let kind = suffix == "momd" ? ".mom" : ".xcdatamodel"
        try FileManager.default.moveItem(
            at: url.appendingPathComponent(stated + kind), to: url.appendingPathComponent(stored + kind))
        try expect(ModelFile.read(url).entities.map(\.name), equals: ["E"])
        try expect(ModelFile.versions(of: url).filter(\.isCurrent).count, equals: 1)
    }

    @Test func allVersionsAreWritten() throws {
        let folder = try TemporaryFolder()
        let versions = ["1", "2"].map { name in
            ModelVersion(
                name: name, schema: ModelSchema(entities: [EntitySchema(name: "E" + name)]),
                isCurrent: name == "1")
        }
        for suffix in ["momd", "xcdatamodeld"] {
            let url = folder.file("Many." + suffix)
            try ModelFile.write(versions, to: url)
            try expect(ModelFile.versions(of: url), equals: versions)
        }
        try ModelFile.write(versions, to: folder.file("One.mom"))
        try expect(ModelFile.read(folder.file("One.mom")), equals: versions[0].schema)
        try ModelFile.write([versions[0]], to: folder.file("One.momd"))
        try expect(ModelFile.versions(of: folder.file("One.momd")).map(\.name), equals: ["One"])
        #expect(throws: ModelFileError.self) {
            try ModelFile.write([versions[1]], to: folder.file("No.momd"))
        }
    }

    @Test func aBundleKeepsTheHashesOfItsEntities() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("A.momd")
        let model = ModelSchema(entities: [
            EntitySchema(name: "E", properties: [RichModel.attribute("a", .string)])
        ])
        try ModelFile.write(model, to: url)
        let data = try Data(contentsOf: url.appendingPathComponent("VersionInfo.plist"))
        let list = try #require(
            PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        expect(list["NSManagedObjectModel_CurrentVersionName"] as? String, equals: "A")
        let hashes = VersionHash.hashes(of: ModelIndex(model)).mapValues(\.data)
        expect(
            (list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])?["A"], equals: hashes)
        let sums = list["NSManagedObjectModel_VersionChecksums"] as? [String: String]
        expect(sums?["A"], equals: VersionHash.checksum(of: hashes))
    }

    @Test func versionsThatShareNoEntityAreNotRead() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("A.momd")
        func model(_ attribute: String) -> ModelSchema {
            ModelSchema(entities: [
                EntitySchema(name: "E", properties: [RichModel.attribute(attribute, .string)])
            ])
        }
        let versions = ["A", "B"].map { ModelVersion(name: $0, schema: model($0), isCurrent: $0 == "B") }
        try CompiledModelBundle.write(versions, to: url)
        func hashes(_ attribute: String) -> [String: Data] {
            VersionHash.hashes(of: ModelIndex(model(attribute))).mapValues(\.data)
        }
        try Data("no model".utf8).write(to: url.appendingPathComponent("A.mom"))
        let found = try ModelFile.list(of: url, sharing: hashes("B"))
        expect(found.versions, equals: [versions[1]])
        expect(found.failures.count, equals: 0)
        expect(try ModelFile.versions(of: url, sharing: hashes("C")), equals: [])
        expect(try ModelFile.list(of: url, sharing: hashes("A")).failures.count, equals: 1)
        try FileManager.default.removeItem(at: url.appendingPathComponent("VersionInfo.plist"))
        expect(try ModelFile.list(of: url, sharing: hashes("C")).versions.map(\.name), equals: ["B"])
    }

    @Test func anUncertainHashStaysUncertainInOurBundles() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("A.momd")
        let entity = EntitySchema(
            name: "E",
            properties: [
                RichModel.attribute("a", .binaryData) {
                    $0.allowsExternalBinaryDataStorage = true
                    $0.preservesValueInHistoryOnDeletion = true
                }
            ])
        try ModelFile.write(ModelSchema(entities: [entity]), to: url)
        let again = try ModelFile.read(url)
        expect(VersionHash.hashes(of: ModelIndex(again))["E"]?.isCertain, equals: false)
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"),
        arguments: ["SampleModel", "SampleModel3"])
    func applesBundlesRead(_ name: String) throws {
        let url = try SharedFiles.url("compiled/CoreDataPlus/\(name).momd")
        let versions = try ModelFile.versions(of: url)
        expect(versions.count, equals: 3)
        expect(versions.filter(\.isCurrent).count, equals: 1)
        let folder = try TemporaryFolder()
        let copy = folder.file(name + ".momd")
        try CompiledModelBundle.write(versions, to: copy)
        try expect(ModelFile.versions(of: copy), equals: versions)
        try expectSameHashes(url, copy)
    }

    /// The older of the two was compiled when there were no checksums yet.
    @Test(
        .enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"),
        arguments: ["SampleModel", "SampleModel3"])
    func theVersionListEqualsApples(_ name: String) throws {
        let url = try SharedFiles.url("compiled/CoreDataPlus/\(name).momd")
        let folder = try TemporaryFolder()
        let copy = folder.file(name + ".momd")
        try CompiledModelBundle.write(ModelFile.versions(of: url), to: copy)
        func list(_ bundle: URL) throws -> NSMutableDictionary {
            let data = try Data(contentsOf: bundle.appendingPathComponent("VersionInfo.plist"))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            return NSMutableDictionary(dictionary: try #require(list as? [String: Any]))
        }
        let (theirs, ours) = (try list(url), try list(copy))
        let sums = "NSManagedObjectModel_VersionChecksums"
        if theirs[sums] == nil { ours.removeObject(forKey: sums) }
        expect(ours, equals: theirs)
    }

    private func expectSameHashes(_ url: URL, _ copy: URL) throws {
        func hashes(_ bundle: URL) throws -> [String: [String: Data]] {
            let data = try Data(contentsOf: bundle.appendingPathComponent("VersionInfo.plist"))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            return try #require(list?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
        }
        try expect(hashes(url), equals: hashes(copy))
    }

    // MARK: Failures

    /// Three versions, the first broken, the second current.
    private func bundle(_ suffix: String, in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("Many." + suffix)
        let versions = ["1", "2", "3"].map { name in
            ModelVersion(
                name: name, schema: ModelSchema(entities: [EntitySchema(name: "E")]), isCurrent: name == "2")
        }
        if suffix == "momd" {
            try CompiledModelBundle.write(versions, to: url)
            try Data("broken".utf8).write(to: url.appendingPathComponent("1.mom"))
        } else {
            try SourceModelBundle.write(versions, to: url)
            try Data("<model><entity/></model>".utf8).write(
                to: url.appendingPathComponent("1.xcdatamodel/contents"))
        }
        return url
    }

    @Test(arguments: ["momd", "xcdatamodeld"])
    func aVersionThatCantBeReadDoesNotKeepTheOthersFromBeingUsed(_ suffix: String) throws {
        let folder = try TemporaryFolder()
        let url = try bundle(suffix, in: folder)
        let list = try ModelFile.list(of: url)
        expect(list.versions.map(\.name), equals: ["2", "3"])
        expect(list.versions.map(\.isCurrent), equals: [true, false])
        let broken = url.appendingPathComponent(suffix == "momd" ? "1.mom" : "1.xcdatamodel").path
        expect(list.failures.map(\.file), equals: [broken])
        let said = Mutex<[String]>([])
        let names = try Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) {
            try ModelFile.versions(of: url).map(\.name)
        }
        expect(names, equals: ["2", "3"])
        let warnings = said.withLock { $0 }
        expect(warnings.count, equals: 1)
        expect(warnings.first?.hasPrefix("a version of a model is left out: \(broken): "), equals: true)
    }

    @Test func aModelWithoutAReadableVersionThrowsTheFirstReason() throws {
        let folder = try TemporaryFolder()
        let url = try bundle("xcdatamodeld", in: folder)
        for name in ["2", "3"] {
            try Data("<model><entity/></model>".utf8).write(
                to: url.appendingPathComponent("\(name).xcdatamodel/contents"))
        }
        let error = try #require(throws: ModelFileError.self) { try ModelFile.versions(of: url) }
        #expect(error.file.hasSuffix("1.xcdatamodel"))
        expect(error.reason, equals: "<entity> number 1 has no \"name\"")
    }

    private func failure(_ url: URL) throws -> ModelFileError {
        try #require(throws: ModelFileError.self) { try ModelFile.read(url) }
    }

    @Test func whatIsMissingIsNamed() throws {
        let folder = try TemporaryFolder()
        try expect(failure(folder.file("no.mom")).file, equals: folder.file("no.mom").path)
        #expect(try failure(folder.file("no.momd")).file.hasSuffix("no.momd"))
        #expect(try failure(folder.file("no.xcdatamodel")).reason.contains("neither"))
        #expect(try failure(folder.file("x.txt")).reason.contains("no model file"))
    }

    @Test func aVersionListMayNotLeadOutOfItsBundle() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("A.momd")
        try ModelFile.write(RichModel.sourceModel, to: url)
        try ModelFile.write(RichModel.sourceModel, to: folder.file("B.mom"))
        let list = BinaryPropertyListWriter.data(
            for: .dictionary([.init("NSManagedObjectModel_CurrentVersionName", value: .string("../B"))]))
        try list.write(to: url.appendingPathComponent("VersionInfo.plist"))
        try expect(failure(url).reason, equals: "the current version \"../B\" is missing")
    }

    @Test func aVersionMustHaveAFileName() throws {
        let folder = try TemporaryFolder()
        let version = ModelVersion(name: "../x", schema: ModelSchema(), isCurrent: true)
        #expect(throws: ModelFileError.self) {
            try CompiledModelBundle.write([version], to: folder.file("A.momd"))
        }
        #expect(throws: ModelFileError.self) {
            try SourceModelBundle.write([version], to: folder.file("A.xcdatamodeld"))
        }
    }
}
