// Unsaved edits that outlive the studio.

import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct KeptEditsTests {
    private let model: SmallModel
    private let folder: URL

    init() throws {
        model = try SmallModel()
        folder = model.folder.file("state/drafts")
    }

    private func open() throws -> ModelDocument {
        try ModelDocument(contentsOf: model.url, keepingEditsIn: KeptEditsFolder(folder))
    }

    private func files() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func add(_ name: String, to document: ModelDocument) throws {
        try document.edit("Heroes", commands: [.add(kind: "entity", parent: nil, name: name, values: [:])])
    }

    private func entities(_ document: ModelDocument, _ version: String = "Heroes") -> [String] {
        document.draft[version: version]?.children("entity").map(\.title) ?? []
    }

    @Test
    func editsAreThereAgain() throws {
        let file = ModelFiles(model.url).contents(of: "Heroes")
        let before = try Data(contentsOf: file)
        let first = try open()
        #expect(files().isEmpty)
        try add("Team", to: first)
        try first.addVersion("Heroes 2", basedOn: "Heroes")
        try first.setCurrent("Heroes 2")
        let second = try open()
        expect(entities(second), equals: ["Hero", "Power", "Team"])
        expect(entities(second, "Heroes 2"), equals: ["Hero", "Power", "Team"])
        expect(second.draft.current, equals: "Heroes 2")
        #expect(second.restored != nil)
        #expect(second.hasUnsavedEdits)
        try expect(Data(contentsOf: file), equals: before)
        try second.save()
        #expect(files().isEmpty)
        #expect(try open().restored == nil)
    }

    @Test
    func theLastEditsAreKeptHoweverManyEditAtOnce() throws {
        let document = try open()
        DispatchQueue.concurrentPerform(iterations: 40) { number in try? add("Team\(number)", to: document) }
        expect(entities(document).count, equals: 42)
        expect(entities(try open()), equals: entities(document))
    }

    @Test
    func onlyTheirOwnerReadsThem() throws {
        try add("Team", to: try open())
        let file = try #require(files().first)
        func mode(_ path: String) throws -> Int? {
            (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
        }
        try expect(mode(folder.path), equals: 0o700)
        try expect(mode(folder.appendingPathComponent(file).path), equals: 0o600)
        try expect(
            FileManager.default.contentsOfDirectory(atPath: model.folder.url.path).sorted(),
            equals: [
                "Heroes.xcdatamodeld", "state",
            ])
    }

    @Test
    func discardingAndUndoingLeaveNothing() throws {
        let first = try open()
        try add("Team", to: first)
        try first.undo()
        #expect(files().isEmpty)
        try first.redo()
        let second = try open()
        try second.decide(.discard)
        expect(entities(second), equals: ["Hero", "Power"])
        #expect(files().isEmpty)
        try second.undo()
        expect(entities(second), equals: ["Hero", "Power", "Team"])
    }

    @Test(arguments: [ModelDocument.LeftoverChoice.restore, .discard])
    func changedFilesAreAskedAbout(choice: ModelDocument.LeftoverChoice) throws {
        try add("Team", to: try open())
        let file = ModelFiles(model.url).contents(of: "Heroes")
        let theirs = try String(contentsOf: file, encoding: .utf8).replacing("title", with: "label")
        try theirs.write(to: file, atomically: true, encoding: .utf8)
        let document = try open()
        expect(entities(document), equals: ["Hero", "Power"])
        #expect(document.leftover != nil)
        #expect(throws: ModelEditFailure.self) { try add("Other", to: document) }
        expect(files().count, equals: 1)
        try document.decide(choice)
        expect(
            entities(document), equals: (choice == .restore ? ["Hero", "Power", "Team"] : ["Hero", "Power"]))
        expect(files().count, equals: (choice == .restore ? 1 : 0))
        try add("Other", to: document)
    }

    @Test
    func aFolderThatCantBeWrittenIsTold() throws {
        try FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: folder)
        let document = try open()
        try add("Team", to: document)
        expect(document.keepingProblem?.contains("can't be kept"), equals: true)
        expect(entities(document), equals: ["Hero", "Power", "Team"])
    }

    @Test
    func theStudiosOptionSaysWhere() async throws {
        var options = StudioOptions()
        options.modelFile = model.url
        options.draftsFolder = folder
        let browser = try await Browser(Studio(coordinator: nil, options: options))
        let edit = "{\"version\": \"Heroes\", \"commands\": [{\"do\": \"add\", \"kind\": \"entity\"}]}"
        await expect(browser.post("model/edit", edit).status, equals: 200)
        let next = try await Browser(Studio(coordinator: nil, options: options))
        let left = try #require(try next.object(await next.get("model"))["left"] as? [String: Any])
        expect(left["isUndecided"] as? Bool, equals: false)
        let decided = await next.post("model/left", "{\"choice\": \"discard\"}")
        #expect(try next.object(decided)["left"] == nil)
        #expect(files().isEmpty)
    }
}
