import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SourceSubsetTests {
    /// Leaves out no more than it must, and tells each part.
    @Test func keepsWhatCanBeStated() throws {
        var request = FetchRequestSchema(entityName: "E", predicate: .constant(true))
        (request.fetchLimit, request.fetchOffset, request.propertiesToFetch) = (3, 4, ["a"])
        var data = AttributeTraits(.binaryData)
        data.defaultValue = .data(Data([1]))
        var entity = EntitySchema(name: "E")
        entity.userInfo = [.string("k"): .string("v"), .string("n"): .integer(1)]
        entity.properties = [
            PropertySchema(name: "a", kind: .attribute(data)),
            PropertySchema(name: "f", kind: .fetched(request)),
        ]
        let template = FetchTemplateSchema(name: "T", request: request)
        let model = ModelSchema(
            entities: [entity], fetchTemplates: [template], versionIdentifiers: ["1", "2"])
        #expect(throws: ModelFileError.self) { try ModelSourceWriter.data(for: model) }
        let subset = SourceSubset(model)
        #expect(throws: Never.self) { try ModelSourceWriter.data(for: subset.model) }
        expect(
            subset.remarks.map { $0.prefix { $0 != ":" } },
            equals: [
                "a source model can't state several version identifiers; they are one text now", "E.a", "E.f",
                "E", "T",
            ])
        expect(subset.model.versionIdentifiers, equals: ["1, 2"])
        expect(subset.model.entities[0].userInfo, equals: [.string("k"): .string("v")])
        let left = subset.model.fetchTemplates[0].request
        #expect(left.fetchLimit == 3 && left.fetchOffset == 0 && left.predicate == .constant(true))
        expect(subset.model.entities[0].properties[1].kind, equals: .fetched(left))
    }

    @Test func aModelThatCanBeStatedIsKept() {
        let subset = SourceSubset(RichModel.sourceModel)
        #expect(subset.model == RichModel.sourceModel && subset.remarks.isEmpty)
    }
}
