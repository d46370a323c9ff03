// The diagram: places, lines and what it is written as.

import CoreDataFiles
import CoreDataStudio
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

struct ModelGraphTests {
    @Test
    func aPairIsOneLine() throws {
        let graph = ModelGraph(try SmallModel().root)
        expect(graph.boxes.map(\.name), equals: ["Hero", "Power"])
        let line = try #require(graph.lines.first)
        expect(graph.lines.count, equals: 1)
        #expect(line.isToMany && !line.isInverseToMany)
        expect(line.inverse, equals: "hero")
    }

    @Test
    func boxesNeverLieOnEachOther() throws {
        for seed in 0..<20 {
            var random = SeededGenerator(seed: UInt64(seed))
            let count = Int.random(in: 1...60, using: &random)
            let sizes = (0..<count).map { _ in
                GraphLayout.Size(width: 220, height: Int.random(in: 40...400, using: &random))
            }
            let edges = (0..<count).map { _ in
                GraphLayout.Edge(
                    from: Int.random(in: 0..<count, using: &random),
                    to: Int.random(in: 0..<count, using: &random)
                )
            }
            let places = GraphLayout.places(sizes: sizes, edges: edges)
            for one in 0..<count {
                for two in (one + 1)..<count {
                    let isApart =
                        places[one].x + sizes[one].width <= places[two].x
                        || places[two].x + sizes[two].width <= places[one].x
                        || places[one].y + sizes[one].height <= places[two].y
                        || places[two].y + sizes[two].height <= places[one].y
                    #expect(isApart, "seed \(seed): \(one) and \(two)")
                }
            }
        }
    }

    @Test
    func aParentStandsAboveItsChildren() throws {
        let model = try SmallModel()
        try model.edit(
            .add(kind: "entity", parent: nil, name: "Sidekick", values: ["parentEntity": .text("Hero")]))
        var graph = ModelGraph(model.root)
        graph.layOut()
        let hero = try #require(graph.boxes.first { $0.name == "Hero" })
        for name in ["Sidekick", "Power"] {
            let box = try #require(graph.boxes.first { $0.name == name })
            #expect(box.y >= hero.y + hero.height)
        }
    }

    @Test
    func placesOfTheFileAreKept() throws {
        let model = try SmallModel()
        var bare = model.root
        bare.children.removeAll { $0.name == "elements" }
        #expect(ModelGraph.placed(bare).isAutomatic)
        try model.edit(
            .place([
                ModelGraph.filePlace("Hero", x: 0, y: 0), ModelGraph.filePlace("Power", x: 550, y: 250),
            ]))
        let placed = ModelGraph.placed(model.root)
        #expect(!placed.isAutomatic)
        expect(placed.graph.boxes.map(\.x), equals: [0, 550])
        try model.document.save()
        let text = try String(contentsOf: ModelFiles(model.url).contents(of: "Heroes"), encoding: .utf8)
        #expect(text.contains("<element name=\"Power\" positionX=\"320\" positionY=\"200\" width=\"128\""))
    }

    @Test
    func aModelThatNobodyLaidOutIsLaidOutByTheDiagram() throws {
        let files = try SmallModel()
        let compiled = files.folder.file("Heroes.mom")
        try ModelFile.write(try files.saved(), to: compiled)
        let root = try ModelDocument(contentsOf: compiled).draft.versions[0].root
        #expect(root.child("elements") == nil)
        #expect(ModelGraph.placed(root).isAutomatic)
    }

    @Test
    func neighbourhoods() throws {
        let model = try SmallModel()
        try model.edit(.add(kind: "entity", parent: nil, name: "Alone", values: [:]))
        let graph = ModelGraph(model.root)
        expect(graph.neighbourhood(of: "Hero", steps: 0)?.boxes.map(\.name), equals: ["Hero"])
        expect(graph.neighbourhood(of: "Hero", steps: 3)?.boxes.map(\.name), equals: ["Hero", "Power"])
        #expect(graph.neighbourhood(of: "Nobody", steps: 1) == nil)
    }

    @Test
    func formats() throws {
        let model = try SmallModel()
        try model.edit(
            .add(
                kind: "entity", parent: nil, name: "Side <b>kick",
                values: ["parentEntity": .text("Hero"), "isAbstract": .flag(true)]))
        var graph = ModelGraph(model.root)
        graph.layOut()
        let mermaid = graph.written(as: .mermaid)
        #expect(mermaid.hasPrefix("classDiagram\n    class Hero {\n        String name\n"))
        #expect(mermaid.contains("Hero \"1\" -- \"*\" Power : powers / hero"))
        #expect(mermaid.contains("Hero <|-- entity_2"))
        let plant = graph.written(as: .plantuml)
        #expect(plant.hasPrefix("@startuml\n") && plant.hasSuffix("@enduml\n"))
        #expect(plant.contains("abstract class \"Side _b_kick\" as entity_2 {"))
        let svg = graph.written(as: .svg)
        let tree = try XMLTreeReader.read(Data(svg.utf8))
        expect(tree.name, equals: "svg")
        #expect(svg.contains("Side &lt;b&gt;kick"))
        expect(tree.children.filter { $0.name == "g" }.count, equals: 3)
        let text = graph.written(as: .text)
        #expect(text.contains("│ powers  ↠ Power.hero │"))
        #expect(text.contains("Side <b>kick : Hero  (abstract)"))
    }
}

@Suite(.enabled(if: SharedFiles.arePresent, .init(rawValue: SharedFiles.absence)))
struct RealModelGraphTests {
    @Test(arguments: RealModelEditTests.bundles)
    func realModelsAreDrawn(path: String) throws {
        let document = try ModelDocument(contentsOf: SharedFiles.url(path))
        for version in document.draft.versions {
            let graph = ModelGraph.placed(version.root).graph
            expect(graph.boxes.count, equals: version.root.children("entity").count)
            for format in ModelGraph.Format.allCases {
                let text = graph.written(as: format)
                #expect(graph.boxes.allSatisfy { text.contains($0.name.prefix(20)) })
            }
            _ = try XMLTreeReader.read(Data(graph.written(as: .svg).utf8))
        }
    }
}
