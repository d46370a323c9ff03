// Every feature of a model through the compiled form.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RichModelTests {
    @Test func everyFeatureSurvivesCompilation() throws {
        let model = RichModel.model
        let again = try CompiledModelReader.read(CompiledModelWriter.data(for: model), from: "ours")
        for (old, new) in zip(model.entities, again.entities) {
            for (left, right) in zip(old.properties, new.properties) { expect(left, equals: right) }
            expect(old, equals: new)
        }
        expect(model, equals: again)
    }

    @Test func sourceOnlyFactsAreDropped() throws {
        var model = RichModel.model
        model.entities[0].codeGeneration = "class"
        model.entities[0].classModule = "."
        let again = try CompiledModelReader.read(CompiledModelWriter.data(for: model), from: "ours")
        #expect(again != model)
        expect(again, equals: model.compiled)
    }

    @Test func equalModelsGiveEqualFiles() throws {
        try expect(
            CompiledModelWriter.data(for: RichModel.model),
            equals: CompiledModelWriter.data(for: RichModel.model))
    }

    @Test func twoEntitiesOfOneNameCantBeWritten() {
        let model = ModelSchema(entities: [EntitySchema(name: "A"), EntitySchema(name: "A")])
        #expect(throws: ModelFileError(file: "", reason: "two entities have the same name")) {
            try CompiledModelWriter.data(for: model)
        }
    }

    @Test func aMissingSuperentityCantBeWritten() {
        var entity = EntitySchema(name: "A")
        entity.superentityName = "B"
        #expect(throws: ModelFileError(file: "", entity: "A", reason: "the superentity \"B\" does not exist"))
        {
            try CompiledModelWriter.data(for: ModelSchema(entities: [entity]))
        }
    }
}
