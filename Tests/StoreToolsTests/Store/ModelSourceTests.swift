// Models that a path leads to.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct ModelSourceTests {
    private func contents(_ entity: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model documentVersion="1.0"><entity name="\(entity)"/></model>
            """.utf8)
    }

    @Test func allVersionsAreWritten() throws {
        let folder = try TemporaryFolder()
        let source = folder.file("Shop.xcdatamodeld")
        for name in ["Shop", "Shop 2"] {
            let version = source.appendingPathComponent(name + ".xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let entity = name == "Shop" ? "Old" : "New"
            try contents(entity).write(to: version.appendingPathComponent("contents"))
        }
        for name in ["Copy.momd", "Copy.xcdatamodeld"] {
            let current = try ModelSource(path: source.path).write(to: folder.file(name))
            expect(current.entities.map(\.name), equals: ["Old"])
            let sums = try NSManagedObjectModel.__checksumsForVersionedModel(at: folder.file(name))
            expect(
                sums, equals: try NSManagedObjectModel.__checksumsForVersionedModel(at: source))
            try expect(
                ModelSource(path: folder.file(name).path).read().entities.map(\.name), equals: ["Old"])
        }
        _ = try ModelSource(path: source.path).write(to: folder.file("One.mom"))
        try expect(
            ModelSource(path: folder.file("One.mom").path).read().entities.map(\.name), equals: ["Old"])
    }

    @Test func asNothingTheErrorNamesThePath() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ToolFailure.self) {
            try ModelSource(path: folder.file("No.momd").path).write(to: folder.file("B.momd"))
        }
    }
}
