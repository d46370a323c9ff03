// `coredata model new`

import ArgumentParser
import CoreData
import CoreDataGenerator
import StoreTools

struct ModelNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Begins a source model: empty, or from a store, a model or Swift classes.",
        discussion: """
            From Swift files, each subclass of NSManagedObject becomes an entity by its @NSManaged properties. \
            What they don't say is Xcode's default, and what had to be guessed is told. From a database's tables that \
            aren't a store's, a model is proposed that can be laid over them.

            EXAMPLE
              coredata model new Library.xcdatamodeld
              coredata model new Library.xcdatamodeld --from Library.sqlite
              coredata model new Shop.xcdatamodeld --from 'postgresql://db.example/shop?schema=public'
              coredata model new Library.xcdatamodeld --from Sources/App/Book.swift --from Sources/App/Author.swift
            """)

    @Argument(help: "The model to make: .xcdatamodeld or .xcdatamodel.")
    var model: String

    @Option(
        help: ArgumentHelp(
            "A store that keeps its model, an address of tables, a model file, or a Swift file with classes, which may be repeated.",
            valueName: "path"))
    var from: [String] = []

    func run() throws { try Self.make(model, from: from) }

    /// Also of `coredata model --new`.
    static func make(_ path: String, from sources: [String]) throws {
        let url = URL(fileURLWithPath: path)
        let isCode = sources.allSatisfy { $0.hasSuffix(".swift") }
        if let source = sources.first, !isCode {
            if sources.count > 1 { throw ValidationError("--from takes one store or model, or Swift files.") }
            return try copy(source, to: url)
        }
        do {
            let draft =
                sources.isEmpty
                ? ModelDraft() : try ModelDraft(classesIn: sources.map { URL(fileURLWithPath: $0) })
            try draft.write(to: url)
            draft.warnings.forEach(complain)
        } catch {
            error.problems.forEach(complain)
            throw ExitCode(1)
        }
        print("wrote \(url.path)")
    }

    private static func copy(_ source: String, to url: URL) throws {
        guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
            throw ValidationError("A new model is an .xcdatamodeld or .xcdatamodel.")
        }
        let (model, remarks) = try model(of: source)
        if FileManager.default.fileExists(atPath: url.path) {
            throw ToolFailure("There is something at \(url.path) already.")
        }
        for remark in try remarks + model.writeSource(to: url) {
            FileHandle.standardError.write(Data("\(remark)\n".utf8))
        }
        print("wrote \(url.path)")
    }

    private static func model(of source: String) throws -> (NSManagedObjectModel, [String]) {
        if StoreAddress.isServer(source) { return try StoreAddress(source).modelOrProposal() }
        return (try ModelSource(path: source).read(), [])
    }

    private static func complain(_ problem: GenerationProblem) {
        FileHandle.standardError.write(Data("\(problem)\n".utf8))
    }
}
