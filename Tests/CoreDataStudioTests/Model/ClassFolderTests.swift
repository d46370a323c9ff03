// Generated classes in a folder of the project.

import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ClassFolderTests {
    private let model: SmallModel

    init() throws { model = try SmallModel() }

    private func browser(isReadOnly: Bool = false) async throws -> Browser {
        var options = StudioOptions()
        options.modelFile = model.url
        options.isReadOnly = isReadOnly
        return try await Browser(Studio(coordinator: nil, options: options))
    }

    private func comparison(_ response: StudioResponse) throws -> (files: [[String: Any]], mark: String) {
        expect(response.status, equals: 200, "\(String(decoding: response.body, as: UTF8.self))")
        let answer = try #require(
            try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
        return (
            try #require(answer["files"] as? [[String: Any]]), try #require(answer["mark"] as? String)
        )
    }

    @Test
    func classesAreComparedAndThenWritten() async throws {
        let browser = try await browser()
        let wish: [String: Any] = ["folder": "Sources/Generated"]
        let (compared, mark) = try comparison(await browser.send("model/classes", wish))
        #expect(!compared.isEmpty)
        #expect(compared.allSatisfy { $0["before"] == nil })
        let folder = model.url.deletingLastPathComponent().appendingPathComponent("Sources/Generated")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        _ = try comparison(await browser.send("model/classes", wish.merging(["seen": mark]) { $1 }))
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        let names = compared.compactMap { $0["name"] as? String }
        for file in compared {
            let name = try #require(file["name"] as? String)
            try expect(text(name), equals: file["text"] as? String)
        }
        // What is generated is written again, what people edit never.
        for name in names { try Data("// mine".utf8).write(to: folder.appendingPathComponent(name)) }
        // Nobody has seen these yet.
        try await expect(
            browser.send("model/classes", wish.merging(["seen": mark]) { $1 }).status, equals: 409)
        #expect(try names.allSatisfy { try text($0) == "// mine" })
        let (again, later) = try comparison(await browser.send("model/classes", wish))
        _ = try comparison(await browser.send("model/classes", wish.merging(["seen": later]) { $1 }))
        #expect(again.allSatisfy { $0["before"] as? String == "// mine" })
        for file in again {
            let name = try #require(file["name"] as? String)
            let isMine = try text(name) == "// mine"
            expect(isMine, equals: file["isForEditing"] as? Bool)
        }
    }

    @Test(arguments: ["/tmp", "../elsewhere", "a/../../b", "link"])
    func noPathLeadsOutOfTheModelsFolder(path: String) async throws {
        let base = model.url.deletingLastPathComponent()
        try FileManager.default.createSymbolicLink(
            at: base.appendingPathComponent("link"), withDestinationURL: URL(fileURLWithPath: "/tmp"))
        let answer = try await browser().send("model/classes", ["folder": path, "seen": ""])
        expect(answer.status, equals: 422)
    }

    @Test
    func nothingIsWrittenReadOnly() async throws {
        try await expect(browser(isReadOnly: true).send("model/classes", ["folder": "a"]).status, equals: 403)
    }
}
