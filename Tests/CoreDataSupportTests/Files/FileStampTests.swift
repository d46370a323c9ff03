import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FileStampTests {
    @Test func writesAndReplacementsAreTold() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("stamp-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(FileStamp(url) == nil)
        try Data().write(to: url)
        #expect(FileStamp(url) == nil)
        try Data("a".utf8).write(to: url)
        let first = try #require(FileStamp(url))
        expect(FileStamp(path: url.path), equals: first)
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("b".utf8))
        try handle.close()
        let second = try #require(FileStamp(url))
        #expect(second != first)
        try Data("cd".utf8).write(to: url, options: .atomic)
        #expect(FileStamp(url) != second)
    }
}
