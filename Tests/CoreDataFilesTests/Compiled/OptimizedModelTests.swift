// Optimised models (.omo) against the plain models of the same versions.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct OptimizedModelTests {
    private static let samples = SharedFiles.paths(under: "compiled", suffix: ".omo")

    /// The model with entities and properties in the order of their names, which the files don't share.
    private func ordered(_ model: ModelSchema) -> ModelSchema {
        var model = model
        model.entities.sort { $0.name < $1.name }
        for index in model.entities.indices { model.entities[index].properties.sort { $0.name < $1.name } }
        return model
    }

    @Test(arguments: samples) func saysWhatThePlainModelSays(_ path: String) throws {
        let url = try SharedFiles.url(path)
        let plain = try ModelFile.read(url.deletingPathExtension().appendingPathExtension("mom"))
        try expect(ordered(ModelFile.read(url)), equals: ordered(plain))
    }

    /// In a bundle the optimised model is read: it does without the plain one, and then has a wrong plain one beside it.
    @Test(arguments: samples) func isPreferred(_ path: String) throws {
        let url = try SharedFiles.url(path)
        let name = url.deletingPathExtension().lastPathComponent
        let folder = try TemporaryFolder()
        let bundle = folder.file("A.momd")
        try FileManager.default.copyItem(at: url.deletingLastPathComponent(), to: bundle)
        let plain = bundle.appendingPathComponent(name + ".mom")
        let expected = try ModelFile.read(url)
        try FileManager.default.removeItem(at: plain)
        try expect(ModelFile.read(bundle), equals: expected)
        try Data("nothing".utf8).write(to: plain)
        try expect(ModelFile.read(bundle), equals: expected)
        try expect(ModelFile.versions(of: bundle).first(where: \.isCurrent)?.schema, equals: expected)
    }

    /// A part that no hash covers, such as a class's name, may be damaged: the plain model of the same
    /// version is the one to trust.
    @Test(arguments: samples) func damageThatNoHashTellsLeadsToThePlainModel(_ path: String) throws {
        let url = try SharedFiles.url(path)
        let sound = try ModelFile.read(url)
        let className = try #require(sound.entities.compactMap(\.className).first { $0 != "NSManagedObject" })
        var bytes = try Data(contentsOf: url)
        let place = try #require(bytes.range(of: Data(className.utf8), options: .backwards))
        bytes[place.upperBound - 1] = UInt8(ascii: "_")
        let folder = try TemporaryFolder()
        let bundle = folder.file("A.momd")
        try FileManager.default.copyItem(at: url.deletingLastPathComponent(), to: bundle)
        let optimized = bundle.appendingPathComponent(url.lastPathComponent)
        try bytes.write(to: optimized)
        let damaged = try? ModelFile.read(optimized)
        #expect(damaged.map { ordered($0) != ordered(sound) } ?? true)
        let warnings = WarningList()
        let model = try Log.$sink.withValue(.init { warnings.add($0) }) { try ModelFile.read(bundle) }
        expect(ordered(model), equals: ordered(sound))
        expect(warnings.texts.count, equals: 1)
    }

    /// Unknown contents, and hashes that the bundle doesn't state, lead to the plain model, with a warning.
    @Test(arguments: samples, [true, false]) func fallsBack(_ path: String, _ isDamaged: Bool) throws {
        let url = try SharedFiles.url(path)
        let folder = try TemporaryFolder()
        let bundle = folder.file("A.momd")
        try FileManager.default.copyItem(at: url.deletingLastPathComponent(), to: bundle)
        let name = url.lastPathComponent
        let optimized = bundle.appendingPathComponent(name)
        if isDamaged {
            try Data(contentsOf: url).dropLast(4).write(to: optimized)
        } else {
            let others = try #require(Self.samples.first { $0 != path })
            try FileManager.default.removeItem(at: optimized)
            try FileManager.default.copyItem(at: SharedFiles.url(others), to: optimized)
        }
        let warnings = WarningList()
        let model = try Log.$sink.withValue(.init { warnings.add($0) }) { try ModelFile.read(bundle) }
        try expect(model, equals: ModelFile.read(url.deletingPathExtension().appendingPathExtension("mom")))
        expect(warnings.texts.count, equals: 1)
        expect(
            warnings.texts.first?.contains("the plain model beside an optimised one is used"), equals: true)
    }

    @Test func anotherFileIsRefused() {
        #expect(
            throws: ModelFileError(
                file: "a.omo", reason: "the file is no optimised model, or of an unknown version")
        ) {
            try OptimizedModelReader.read(Data(repeating: 7, count: 4000), from: "a.omo")
        }
    }

    @Test(arguments: samples) func everyTruncationIsRefused(_ path: String) throws {
        let data = try Data(contentsOf: SharedFiles.url(path))
        for length in stride(from: 0, to: data.count, by: rounds(5, long: 1)) {
            #expect(throws: ModelFileError.self) {
                try OptimizedModelReader.read(data.prefix(length), from: "cut")
            }
        }
    }

    /// An error, or a model of the same version: what no hash covers, such as a letter of a class's name, can't be told.
    @Test(arguments: samples) func noChangedByteGivesAnotherVersion(_ path: String) throws {
        let data = try Data(contentsOf: SharedFiles.url(path))
        let hashes = try VersionHash.hashes(of: ModelIndex(OptimizedModelReader.read(data, from: "whole")))
        var refused = 0
        let step = rounds(70, long: 7)
        for place in stride(from: 0, to: data.count, by: step) {
            for change in [0x01, 0xFF] as [UInt8] {
                var broken = data
                broken[place] ^= change
                if let read = try? OptimizedModelReader.read(broken, from: "broken") {
                    expect(VersionHash.hashes(of: ModelIndex(read)), equals: hashes)
                } else {
                    refused += 1
                }
            }
        }
        #expect(refused > data.count / step)
    }
}

private final class WarningList: @unchecked Sendable {
    // Used by one test's thread.
    private(set) var texts: [String] = []

    func add(_ text: String) { texts.append(text) }
}
