// Containers that forget everything.

import Foundation
import SwiftData
import Testing

@Suite struct ErasingTests {
    @Test func everythingIsGoneAndTheStoreGoesOn() throws {
        let fixture = try HistoryFixture()
        try fixture.add("A 1")
        try fixture.container.erase()
        let context = fixture.context()
        #expect(try context.fetchCount(FetchDescriptor<Vehicle>()) == 0)
        #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
        try fixture.add("A 2")
        #expect(try fixture.context().fetch(FetchDescriptor<Vehicle>()).map(\.plate) == ["A 2"])
        fixture.container.deleteAllData()
        #expect(try fixture.context().fetchCount(FetchDescriptor<Vehicle>()) == 0)
    }

    @Test func memoryAndClientsStores() throws {
        let memory = try ModelContainer(
            for: Journey.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(memory)
        context.insert(Journey(target: "Rome"))
        try context.save()
        try memory.erase()
        #expect(try ModelContext(memory).fetchCount(FetchDescriptor<Journey>()) == 0)

        let schema = Schema([Journey.self])
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: schema,
            configurations: [JSONStoreConfiguration(schema: schema, url: folder.file("Journeys.json"))])
        let other = ModelContext(container)
        other.insert(Journey(target: "Rome"))
        try other.save()
        try container.erase()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Journey>()) == 0)
    }
}
