import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SourceLayoutTests {
    private struct Box {
        let (name, x, y, width, height): (String, Int, Int, Int, Int)

        init(_ element: XMLTree) throws {
            func number(_ key: String) throws -> Int { try #require(element[key].flatMap(Int.init)) }
            name = try #require(element["name"])
            (x, y) = (try number("positionX"), try number("positionY"))
            (width, height) = (try number("width"), try number("height"))
        }

        func covers(_ other: Box) -> Bool {
            x < other.x + other.width && other.x < x + width && y < other.y + other.height
                && other.y < y + height
        }
    }

    private func root(_ model: ModelSchema) throws -> XMLTree {
        let folder = try TemporaryFolder()
        let url = folder.file("A.xcdatamodel")
        try ModelFile.write(model, to: url)
        return try XMLTreeReader.read(Data(contentsOf: url.appendingPathComponent("contents")))
    }

    private func boxes(_ model: ModelSchema) throws -> [Box] {
        try (root(model).children.last { $0.name == "elements" }?.children ?? []).map(Box.init)
    }

    @Test(arguments: [1, 2, 5, 40]) func noEntityCoversAnother(_ count: Int) throws {
        var model = ModelSchema()
        for number in 0..<count {
            var entity = EntitySchema(name: "E\(number)")
            entity.properties = (0..<number % 7).map {
                PropertySchema(name: "p\($0)", kind: .attribute(.init(.string)))
            }
            if number > 0 { entity.superentityName = "E\(number / 3)" }
            model.entities.append(entity)
        }
        let boxes = try boxes(model)
        expect(boxes.map(\.name), equals: model.entities.map(\.name).sorted())
        for (place, box) in boxes.enumerated() {
            #expect(!boxes[(place + 1)...].contains(where: box.covers))
        }
    }

    @Test func heightsAreThoseOfXcode() throws {
        var entity = EntitySchema(name: "A")
        entity.properties = ["a", "b", "c"].map { PropertySchema(name: $0, kind: .attribute(.init(.string))) }
        let boxes = try boxes(ModelSchema(entities: [entity, EntitySchema(name: "B")]))
        expect(boxes.map(\.height), equals: [74, 44])
    }

    @Test func aModelThatWasReadKeepsItsOwn() throws {
        let text =
            "<model><entity name=\"A\"/><elements><element name=\"A\" positionX=\"7\"/></elements></model>"
        let model = try ModelSourceReader.read(Data(text.utf8), from: "contents")
        try expect(root(model).children.last?.children.map { $0["positionX"] }, equals: ["7"])
        #expect(try boxes(ModelSchema()).isEmpty)
    }

    /// Only files get one: whoever shows a model, as the studio does, lays it out itself.
    @Test func aTreeHasNone() throws {
        let model = ModelSchema(entities: [EntitySchema(name: "A")])
        try expect(ModelSourceWriter.tree(of: model).children.map(\.name), equals: ["entity"])
    }
}
