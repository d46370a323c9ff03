import Foundation
import SwiftData
import Testing

@Suite struct ModelContainerTests {
    @Test func modelsLieInTheStoresThatNameThem() throws {
        let folder = try TemporaryFolder()
        let (trips, countries) = (
            ModelConfiguration(
                "trips", schema: Schema([Trip.self, BusinessTrip.self]), url: folder.file("Trips.store")),
            ModelConfiguration(
                "countries", schema: Schema([Country.self]), url: folder.file("Countries.store"))
        )
        let schema = Schema([Trip.self, BusinessTrip.self, Country.self])
        do {
            let context = ModelContext(try ModelContainer(for: schema, configurations: [trips, countries]))
            context.insert(Trip(name: "Ararat"))
            context.insert(Country(code: "AM", name: "Armenia"))
            try context.save()
        }
        let container = try ModelContainer(for: schema, configurations: [countries])
        let context = ModelContext(container)
        #expect(try context.fetch(FetchDescriptor<Country>()).map(\.code) == ["AM"])
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
        #expect(container.configurations == [countries])
        #expect(container.migrationPlan == nil)
        #expect(container.schema == schema)
    }

    @Test func configurationsDescribeThemselves() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("A.store")
        let file = ModelConfiguration(url: url, allowsSave: false)
        #expect(file.name == "A" && file.url == url && !file.allowsSave && !file.isStoredInMemoryOnly)
        #expect(file.groupAppContainerIdentifier == nil && file.cloudKitContainerIdentifier == nil)
        let memory = ModelConfiguration(for: Trip.self, isStoredInMemoryOnly: true)
        #expect(memory.schema?.entitiesByName["Trip"] != nil && memory.isStoredInMemoryOnly)
        let named = ModelConfiguration(
            "B", groupContainer: .identifier("group"), cloudKitDatabase: .private("cloud"))
        #expect(named.url.lastPathComponent == "B.store")
        #expect(named.groupAppContainerIdentifier == "group" && named.cloudKitContainerIdentifier == "cloud")
        #expect(named.groupContainer == .identifier("group") && named.groupContainer != .automatic)
        #expect(named.cloudKitDatabase != .none && ModelConfiguration().cloudKitDatabase == .automatic)
        #expect(ModelConfiguration.GroupContainer.none != .automatic)
        try file.validate()
    }

    @Test func wrongConfigurationsAreRefused() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("A.store"))
        #expect(throws: SwiftDataError.duplicateConfiguration) {
            try ModelContainer(for: Trip.self, configurations: configuration, configuration)
        }
        let foreign = ModelConfiguration("f", schema: Schema([Country.self]), url: folder.file("B.store"))
        #expect(throws: SwiftDataError.configurationSchemaNotFoundInContainerSchema) {
            try ModelContainer(for: Trip.self, configurations: foreign)
        }
        #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
            try ModelContainer(for: Trip.self, configurations: ModelConfiguration("a/b"))
        }
        #expect(throws: SwiftDataError.configurationFileNameTooLong) {
            try ModelContainer(
                for: Trip.self, configurations: ModelConfiguration(String(repeating: "a", count: 300)))
        }
        try Data("no store".utf8).write(to: folder.file("A.store"))
        #expect(throws: (any Error).self) {
            try ModelContainer(for: Trip.self, configurations: configuration)
        }
    }

    @Test func errorsAreToldByKind() {
        let all: [SwiftDataError] = [
            .backwardMigration, .configurationFileNameContainsInvalidCharacters,
            .configurationFileNameTooLong,
            .configurationSchemaNotFoundInContainerSchema, .duplicateConfiguration, .historyTokenExpired,
            .includePendingChangesWithBatchSize, .invalidTransactionFetchRequest, .loadIssueModelContainer,
            .missingModelContext, .modelValidationFailure, .sortingPendingChangesWithIdentifiers,
            .unknownDataStoreSchema, .unknownSchema, .unsupportedKeyPath, .unsupportedPredicate,
            .unsupportedSortDescriptor,
        ]
        #expect(Set(all).count == all.count)
        do {
            throw SwiftDataError.unknownSchema
        } catch SwiftDataError.unknownDataStoreSchema {
            Issue.record("another error")
        } catch SwiftDataError.unknownSchema {
        } catch {
            Issue.record("another error")
        }
        #expect("\(SwiftDataError.unknownSchema)".contains("unknownSchema"))
    }
}
