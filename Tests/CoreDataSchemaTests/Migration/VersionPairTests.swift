// Every two consecutive versions of the real models: whether the documented rules of lightweight migration let one
// be inferred from the other, and which rule decides.

import CoreDataFiles
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

/// The rules' result for a pair of versions.
struct VersionPair: Sendable, CustomTestStringConvertible {
    enum Verdict: Sendable, Equatable {
        /// `needs`: attributes without a default that become mandatory, so that old rows must have values.
        case inferred(needs: [String] = [])
        case refused(InferenceRefusal.Rule, String)
    }

    var model: String
    var from: String
    var to: String
    /// The change that decides, in a word or two.
    var rule: String
    var verdict = Verdict.inferred()

    var testDescription: String { "\(model): \(from) to \(to), \(rule)" }

    static let table: [VersionPair] = [
        VersionPair(
            model: "CareKit/CareKitStore", from: "CareKitStore2.0", to: "CareKitStore2.1",
            rule: "a relationship points to another entity",
            verdict: .refused(
                .relationshipDestination(from: "OCKCDTask", to: "OCKCDHealthKitTask"),
                "OCKCDHealthKitLinkage.task")),
        VersionPair(
            model: "CareKit/CareKitStore", from: "CareKitStore2.1", to: "CareKitStore3.0",
            rule: "attribute added"),
        VersionPair(
            model: "CoreDataPlus/SampleModel", from: "SampleModel", to: "SampleModel2",
            rule: "subentity renamed, attributes removed"),
        VersionPair(
            model: "CoreDataPlus/SampleModel", from: "SampleModel2", to: "SampleModel3",
            rule: "entity and relationships added, attribute removed"),
        VersionPair(
            model: "CoreDataPlus/SampleModel3", from: "SampleModel3", to: "SampleModel3_v2",
            rule: "entity and relationship added"),
        VersionPair(
            model: "CoreDataPlus/SampleModel3", from: "SampleModel3_v2", to: "SampleModel3_v3",
            rule: "attribute removed"),
        VersionPair(
            model: "CoreStore/Advanced.EvolutionDemo.V1", from: "Advanced.EvolutionDemo.V1",
            to: "Advanced.EvolutionDemo.V2", rule: "mandatory attributes with defaults added"),
        VersionPair(
            model: "CoreStore/Advanced.EvolutionDemo", from: "Advanced.EvolutionDemo",
            to: "Advanced.EvolutionDemo.V2", rule: "no change"),
        VersionPair(
            model: "DuckDuckGo/BookmarksModel", from: "BookmarksModel", to: "BookmarksModel 2",
            rule: "version hash modifiers"),
        VersionPair(
            model: "DuckDuckGo/BookmarksModel", from: "BookmarksModel 2", to: "BookmarksModel 3",
            rule: "attributes added and removed"),
        VersionPair(
            model: "DuckDuckGo/BookmarksModel", from: "BookmarksModel 3", to: "BookmarksModel 4",
            rule: "to-one renamed and made to-many"),
        VersionPair(
            model: "DuckDuckGo/BookmarksModel", from: "BookmarksModel 4", to: "BookmarksModel 5",
            rule: "attribute added"),
        VersionPair(
            model: "DuckDuckGo/BookmarksModel", from: "BookmarksModel 5", to: "BookmarksModel 6",
            rule: "attribute added"),
        VersionPair(
            model: "DuckDuckGo/SyncMetadata", from: "SyncMetadata", to: "SyncMetadata 2",
            rule: "attribute added"),
        VersionPair(
            model: "DuckDuckGo/SyncMetadata", from: "SyncMetadata 2", to: "SyncMetadata 3",
            rule: "entity added"),
        VersionPair(
            model: "DuckDuckGo/SyncMetadata", from: "SyncMetadata 3", to: "SyncMetadata 4",
            rule: "attribute added"),
        VersionPair(
            model: "Ensembles/CDEEventStoreModel", from: "CDEEventStoreModel_0", to: "CDEEventStoreModel_1",
            rule: "attribute added"),
        VersionPair(
            model: "Ensembles/CDEEventStoreModel", from: "CDEEventStoreModel_1", to: "CDEEventStoreModel_2",
            rule: "entity and relationship added, other value transformer"),
        VersionPair(
            model: "Ensembles/Model-4", from: "Model_0", to: "Model_1",
            rule: "entity and relationship added"),
        VersionPair(
            model: "HalloApp/Chat", from: "Chat", to: "Chat2",
            rule: "mandatory attributes with defaults added"),
        VersionPair(
            model: "HalloApp/Feed", from: "Feed", to: "Feed2", rule: "relationships made optional"),
        VersionPair(model: "HalloApp/Feed", from: "Feed2", to: "Feed3", rule: "attributes added"),
        VersionPair(model: "HalloApp/Feed", from: "Feed3", to: "Feed4", rule: "relationship added"),
        VersionPair(
            model: "HalloApp/Feed", from: "Feed4", to: "Feed5", rule: "entity and relationships added"),
        VersionPair(
            model: "HalloApp/Feed", from: "Feed5", to: "Feed6", rule: "entity and relationships added"),
        VersionPair(
            model: "HalloApp/Feed", from: "Feed6", to: "Feed7",
            rule: "mandatory attributes with defaults added"),
        VersionPair(
            model: "HalloApp/MediaHash", from: "MediaHash", to: "MediaHash2", rule: "attribute added"),
        VersionPair(
            model: "HalloApp/SharedData", from: "SharedDataModel", to: "SharedDataModel2",
            rule: "no stored change"),
        VersionPair(
            model: "HalloApp/SharedData", from: "SharedDataModel2", to: "SharedDataModel3",
            rule: "mandatory attributes with defaults added"),
        VersionPair(
            model: "LoopKit/Model", from: "Model", to: "Modelv4",
            rule: "entities and attributes added and removed, attributes made optional, attribute renamed"),
        VersionPair(
            model: "MagicalRecord/Recipes", from: "Recipes", to: "Recipes 2", rule: "attributes added"),
        VersionPair(
            model: "RestKit/VersionedModel", from: "VersionedModel", to: "VersionedModel 2",
            rule: "attribute added"),
        VersionPair(
            model: "RestKit/VersionedModel", from: "VersionedModel 2", to: "VersionedModel 3",
            rule: "attribute added"),
        VersionPair(
            model: "RestKit/VersionedModel", from: "VersionedModel 3", to: "VersionedModel 4",
            rule: "attribute removed"),
        VersionPair(
            model: "objcio/Moody-4", from: "Moody", to: "Moody 2",
            rule: "attribute renamed, mandatory attribute with default added"),
        VersionPair(
            model: "objcio/Moody-4", from: "Moody 2", to: "Moody 3", rule: "relationship added"),
        VersionPair(
            model: "objcio/Moody-4", from: "Moody 3", to: "Moody 4",
            rule: "entities moved out of a hierarchy"),
        VersionPair(
            model: "objcio/Moody-4", from: "Moody 4", to: "Moody 5",
            rule: "entity and relationships removed"),
        VersionPair(
            model: "objcio/Moody-4", from: "Moody 5", to: "Moody 6",
            rule: "entity and relationship added, attribute removed"),
    ]
}

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct VersionPairTests {
    private func model(_ pair: VersionPair, _ version: String) throws -> ModelSchema {
        let url = try SharedFiles.url("models/\(pair.model).xcdatamodeld/\(version).xcdatamodel")
        return try ModelFile.read(url)
    }

    @Test(arguments: VersionPair.table)
    func isInferredOrRefused(_ pair: VersionPair) throws {
        let verdict: VersionPair.Verdict
        do {
            let difference = try MappingInference.difference(
                from: model(pair, pair.from), to: model(pair, pair.to))
            verdict = .inferred(needs: difference.neededValues.map { "\($0.entity).\($0.attribute)" })
        } catch let refusal as InferenceRefusal {
            verdict = .refused(
                refusal.rule, [refusal.entity, refusal.property].compactMap(\.self).joined(separator: "."))
        }
        expect(verdict, equals: pair.verdict)
    }

    /// A pair that nobody judged would go untested.
    @Test func everyConsecutivePairIsInTheTable() throws {
        let judged = Dictionary(grouping: VersionPair.table, by: \.model).mapValues(\.count)
        for path in SharedFiles.paths(under: "models", suffix: ".xcdatamodeld") {
            let versions = try ModelFile.versions(of: SharedFiles.url(path)).count
            let model = String(path.dropFirst("models/".count).dropLast(".xcdatamodeld".count))
            #expect(judged[model] ?? 0 == max(0, versions - 1), "\(model)")
        }
    }
}
