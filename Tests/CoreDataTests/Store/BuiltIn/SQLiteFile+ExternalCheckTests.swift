// Files of external values without a row, and rows without their file.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ExternalCheckTests {
    private let folder: TemporaryFolder
    private let opened: OpenStore
    private let files: URL

    init() throws {
        folder = try TemporaryFolder()
        let picture = NSAttributeDescription("bytes", .binaryDataAttributeType)
        picture.allowsExternalBinaryDataStorage = true
        let model = NSManagedObjectModel()
        model.entities = [
            NSEntityDescription(
                "Picture",
                [picture] + NSAttributeDescription.all(("plain", .binaryDataAttributeType)))
        ]
        opened = try OpenStore(folder.file("Pictures.sqlite"), model)
        files = folder.file(".Pictures_SUPPORT/_EXTERNAL_DATA")
        for size in [10, 200_000, 300_000] {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: opened.context)
            object.setValue(Data(repeating: 2, count: size), forKey: "bytes")
            // As long as a reference, and begins like one, but is no external value.
            object.setValue(Data("\u{2}\(UUID().uuidString)\u{0}".utf8), forKey: "plain")
        }
        try #require(opened.save() == [])
    }

    private func problems() throws -> [StoreProblem] { try opened.coordinator.verify(opened.store) }

    @Test func whatGoesTogetherIsNoProblem() throws {
        try expect(FileManager.default.contentsOfDirectory(atPath: files.path).count, equals: 2)
        try expect(problems(), equals: [])
    }

    @Test func aRowWithoutItsFileIsFound() throws {
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: files.path).first)
        try FileManager.default.removeItem(at: files.appendingPathComponent(name))
        let problem = try #require(try problems().first)
        try expect(problems().count, equals: 1)
        expect(problem.check, equals: "Picture external values")
        #expect(problem.count == 1 && problem.isHarmful)
        let key = try rows(
            folder.file("Pictures.sqlite"),
            "SELECT Z_PK FROM ZPICTURE WHERE INSTR(ZBYTES, CAST('\(name)' AS BLOB)) > 0")
        expect(problem.rows, equals: ["\(key.joined().joined()), 'bytes', '\(name)'"])
    }

    @Test func aFileWithoutARowIsFound() throws {
        let name = UUID().uuidString
        try Data(count: 5).write(to: files.appendingPathComponent(name))
        try Data(count: 5).write(to: files.appendingPathComponent("Not ours"))
        let problem = try #require(try problems().first)
        try expect(problems().count, equals: 1)
        expect(problem.check, equals: "external files")
        #expect(problem.rows == ["'\(name)'"] && !problem.isHarmful)
    }
}
