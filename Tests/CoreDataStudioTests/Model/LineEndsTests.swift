import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

/// Source models whose lines end as on Windows, all or some.
struct LineEndsTests {
    private static let lines = [
        #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
        #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">"#,
        #"    <entity name="Box">"#,
        #"        <attribute name="a" optional="YES" attributeType="String"/>"#,
        #"        <attribute name="b" optional="YES" attributeType="String"/>"#,
        "    </entity>",
        #"    <entity name="Thing">"#,
        #"        <attribute name="c" optional="YES" attributeType="String"/>"#,
        "    </entity>",
        "</model>",
    ]

    /// The lines' text; those of `short` end with a line feed alone.
    private static func text(_ lines: [String], short: Set<Int>) -> String {
        lines.enumerated().map { $1 + ($0 == lines.count - 1 ? "" : short.contains($0) ? "\n" : "\r\n") }
            .joined()
    }

    @Test(arguments: [[], [3, 5], [0, 1, 2, 3, 4, 5, 6, 7], [5], [8]] as [Set<Int>])
    func `Lines end as they did, new ones as most do`(short: Set<Int>) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Model.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let file = url.appendingPathComponent("contents")
        let before = Self.text(Self.lines, short: short)
        try Data(before.utf8).write(to: file)
        let document = try ModelDocument(contentsOf: url)
        #expect(document.reformattedVersions.isEmpty)
        let version = try #require(document.draft.versions.first)
        let thing = try #require(version.root.children("entity").last)
        try document.edit(
            version.name, commands: [.set(ids: [thing.id], field: "versionHashModifier", value: .text("x"))])
        try document.save()
        var edited = Self.lines
        edited[6] = #"    <entity name="Thing" versionHashModifier="x">"#
        let isMostlyShort = short.count * 2 >= Self.lines.count - 1
        let after = isMostlyShort ? short.union([6]) : short.subtracting([6])
        try expect(String(contentsOf: file, encoding: .utf8), equals: Self.text(edited, short: after))
        try document.undo()
        try document.save()
        try expect(String(contentsOf: file, encoding: .utf8), equals: before)
    }
}
