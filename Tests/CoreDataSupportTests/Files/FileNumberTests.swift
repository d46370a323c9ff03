import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FileNumberTests {
    @Test func aFileHasOneNumberWhateverItsNamesAre() throws {
        let folder = try TemporaryFolder()
        let (file, other) = (folder.file("a").path, folder.file("b").path)
        for path in [file, other] { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.linkItem(atPath: file, toPath: folder.file("hard").path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("soft").path, withDestinationPath: file)
        let number = try #require(FileNumber(path: file))
        expect(FileNumber(path: folder.file("hard").path), equals: number)
        expect(FileNumber(path: folder.file("soft").path), equals: number)
        #expect(FileNumber(path: other) != number)
        #expect(FileNumber(path: folder.file("none").path) == nil)
    }
}
