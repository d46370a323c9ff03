// `coredata model`: beginning a model, and comparing one with stores.

import Foundation
import Testing

@Suite struct ModelCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var model: String { folder.file("Library.xcdatamodeld").path }

    @Test(arguments: [["model", "new"], ["model", "--new"]])
    func `A model is begun from classes`(_ words: [String]) throws {
        let code = folder.file("Book.swift")
        try Data("import CoreData\nclass Book: NSManagedObject { @NSManaged var title: String? }".utf8).write(
            to: code)
        let run = try CommandLineRun(arguments: words + [model, "--from", code.path])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines == ["wrote \(model)"])
        let shown = try CommandLineRun("model", model)
        #expect(shown.output.contains("Book") && shown.output.contains("title"))
        let contents = folder.file("Library.xcdatamodeld/Library.xcdatamodel/contents")
        #expect(try String(contentsOf: contents, encoding: .utf8).contains("<elements>"))
        #expect(try CommandLineRun(arguments: words + [model]).status == 1)
    }

    @Test(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
    func `A store's model is begun anew, and the store is of it`() throws {
        let store = try SharedFiles.path("stores/DuckDuckGo/Bookmarks_V1.sqlite")
        #expect(try CommandLineRun("model", "--new", model, "--from", store).status == 0)
        let same = try CommandLineRun("model", model, "--check", store)
        #expect(same.status == 0, "\(same.output)")
        #expect(same.output.contains("is of the model"))
        #expect(
            try CommandLineRun("model", store, "--diff", model).output.contains("The versions are the same."))
        let other = try SharedFiles.path("stores/DuckDuckGo/Bookmarks_V3.sqlite")
        let differs = try CommandLineRun("model", model, "--check", other)
        #expect(differs.status == 1)
        #expect(differs.output.contains("No version of the model is that of"))
    }

    @Test(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
    func `A versioned model is written with all its versions`() throws {
        let source = try SharedFiles.path("models/DuckDuckGo/BookmarksModel.xcdatamodeld")
        let target = folder.file("Copy.momd")
        let run = try CommandLineRun("model", source, "--write", target.path)
        #expect(run.status == 0)
        #expect(run.lines.first == "wrote \(target.path)")
        let files = try FileManager.default.contentsOfDirectory(atPath: target.path)
        #expect(files.filter { $0.hasSuffix(".mom") }.count == 6)
        #expect(try CommandLineRun("model", target.path).output == CommandLineRun("model", source).output)
    }

    @Test func `What is asked must make sense`() throws {
        #expect(try CommandLineRun("model").status == 64)
        #expect(try CommandLineRun("model", model, "--from", model).status == 64)
        #expect(try CommandLineRun("model", "new", folder.file("a.momd").path).status == 1)
        #expect(
            try CommandLineRun("model", "new", model, "--from", folder.file("none.swift").path).status == 1)
    }
}
