// `coredata model graph`

import ArgumentParser
import CoreData
import CoreDataStudio
import StoreTools

enum GraphFormat: String, ExpressibleByArgument, CaseIterable {
    case svg, mermaid, plantuml, text

    var format: ModelGraph.Format {
        switch self {
        case .svg: .svg
        case .mermaid: .mermaid
        case .plantuml: .plantuml
        case .text: .text
        }
    }
}

struct ModelGraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph", abstract: "Draws a model: entities, inheritance, relationships.",
        discussion: """
            In text, a line leads to one (→), to many (↠) or fetches (⇢); a question mark says that there may be no \
            value.

            EXAMPLE
              coredata model graph Bookmarks.sqlite
              coredata model graph Bookmarks.xcdatamodeld --format svg > Bookmarks.svg
              coredata model graph Bookmarks.xcdatamodeld --around BookmarkEntity --steps 1 --format mermaid
            """)

    @Argument(help: "The model: .momd, .mom, .xcdatamodeld, .xcdatamodel, or a store.")
    var model: String

    @Option(help: "As what it is drawn.")
    var format = GraphFormat.text

    @Option(help: ArgumentHelp("Only this entity and what is connected with it.", valueName: "entity"))
    var around: String?

    @Option(help: "How many lines away, with --around.")
    var steps = 1

    func validate() throws {
        guard (0...100).contains(steps) else { throw ValidationError("--steps must be from 0 to 100.") }
    }

    func run() throws {
        let model = try ModelSource(path: model).read()
        var graph = ModelGraph(model)
        if let around {
            let name = try model.requiredEntity(around).name ?? around
            graph = graph.neighbourhood(of: name, steps: steps) ?? graph
        }
        let output = Output()
        let text = graph.written(as: format.format)
        try output.writeLine(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        try output.finish()
    }
}
