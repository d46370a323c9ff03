import Foundation
import SwiftData
import Testing

/// Models compiled with the main actor as the target's isolation.
@Suite struct LedgerTests {
    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: LedgerSchema.self), migrationPlan: LedgerPlan.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test func theMainContextInsertsFetchesAndDeletes() throws {
        let container = try container()
        let context = container.mainContext
        let account = Account(name: "Household")
        context.insert(account)
        account.entries.append(Entry(amount: 30))
        account.entries.append(Transfer(amount: 700, receiver: "Landlord"))
        account.entries[0].place = Place(latitude: 2, longitude: 3)
        try context.save()
        #expect(account.total == 730)
        let large = try context.fetch(FetchDescriptor<Entry>(predicate: Entry.large))
        #expect(large.map { ($0 as? Transfer)?.receiver } == ["Landlord"])
        #expect(large.first?.account == account)
        context.delete(account)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Entry>()) == 0)
    }

    @Test func casesAndStructuresAreRead() throws {
        let container = try container()
        let entry = Entry(amount: 3, category: .travel)
        entry.place = Place(latitude: 4, longitude: 5)
        container.mainContext.insert(entry)
        try container.mainContext.save()
        let other = try ModelContext(container).fetch(FetchDescriptor<Entry>())
        #expect(other.map(\.category) == [.travel])
        #expect(other.map(\.place) == [Place(latitude: 4, longitude: 5)])
    }

    @Test func uniqueNamesUpdate() throws {
        let container = try container()
        for _ in 0..<2 {
            container.mainContext.insert(Account(name: "Savings"))
            try container.mainContext.save()
        }
        #expect(try container.mainContext.fetchCount(FetchDescriptor<Account>()) == 1)
    }

    @Test func modelActorsWorkWithModels() async throws {
        let container = try container()
        let importer = RateImporter(modelContainer: container)
        let id = try await importer.add("EUR", 1.25)
        #expect(await importer.value(of: id) == 1.25)
        #expect((container.mainContext.model(for: id) as? Rate)?.currency == "EUR")
        container.mainContext.insert(Account(name: "Old"))
        try container.mainContext.save()
        try await importer.close("Old")
        #expect(try Book(container).accounts().isEmpty)
    }
}
