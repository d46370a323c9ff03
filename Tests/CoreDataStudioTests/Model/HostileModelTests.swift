// Models that nobody would make by accident: shown, checked and drawn, never trusted.

import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct HostileModelTests {
    private func document(_ inside: String, in folder: TemporaryFolder) throws -> ModelDocument {
        let url = folder.file("Bad.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("<model type=\"x\">\(inside)</model>".utf8).write(to: url.appendingPathComponent("contents"))
        return try ModelDocument(contentsOf: url)
    }

    @Test(arguments: [
        "<entity/>", "<entity name=\"\"/><entity name=\"\"/>",
        "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>",
        "<entity name=\"A\" parentEntity=\"A\"><relationship name=\"a\" destinationEntity=\"A\" inverseName=\"a\"/></entity>",
        "<entity name=\"A\"><attribute name=\"a\" attributeType=\"Nonsense\" optional=\"perhaps\"/><attribute name=\"a\"/></entity>",
        "<entity name=\"A\"><relationship name=\"a\" maxCount=\"99999999999999999999\" minCount=\"-1\"/></entity>",
        "<entity name=\"A\"><fetchedProperty name=\"f\"/><fetchIndex/><uniquenessConstraints><x/></uniquenessConstraints></entity>",
        "<entity name=\"&lt;script&gt;\"><attribute name=\"Z&#10;PK\" attributeType=\"Integer 64\" defaultValueString=\"1e400\"/></entity>",
        "<entity name=\"A\"/><elements><element name=\"A\" positionX=\"nan\" positionY=\"1e300\"/></elements>",
        "<composite name=\"C\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/></composite>",
        "<fetchRequest name=\"r\" entity=\"A\" predicateString=\"((((((\" resultType=\"many\"/><nothing/>",
    ])
    func brokenModelsAreShownWithTheirMistakes(inside: String) throws {
        let folder = try TemporaryFolder()
        let document = try document(inside, in: folder)
        let root = try #require(document.draft[version: "Bad"])
        let checks = ModelChecker.checks(of: root)
        if !inside.contains("nan") { #expect(checks.contains { $0.severity == .error }) }
        let graph = ModelGraph.placed(root).graph
        for format in ModelGraph.Format.allCases {
            let text = graph.written(as: format)
            #expect(!text.contains("<script>") || format == .text)
        }
        #expect(ModelComparison.differences(from: root, to: root).isEmpty)
        for entity in root.children("entity") where entity["name"] != nil {
            try document.edit(
                "Bad", commands: [.rename(id: entity.id, name: "Renamed\(entity.id)", keepsIdentity: true)])
            try document.edit("Bad", commands: [.duplicate(ids: [entity.id]), .remove(ids: [entity.id])])
        }
        try document.save()
        try expect(ModelDocument(contentsOf: document.url).draft.versions.count, equals: 1)
    }

    @Test(arguments: ["", "<model", "<plist/>", "<!DOCTYPE x [<!ENTITY a \"b\">]><model>&a;</model>"])
    func whatIsNoModelIsRefused(text: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Bad.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        #expect(throws: (any Error).self) { try ModelDocument(contentsOf: url) }
    }
}
