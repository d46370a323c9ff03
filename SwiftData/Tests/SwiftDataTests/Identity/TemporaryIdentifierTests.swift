import SwiftData
import Testing

@Suite struct TemporaryIdentifierTests {
    let context: ModelContext

    init() throws { context = ModelContext(try makeContainer()) }

    @Test func anIdentifierOfAnUnsavedModelLeadsToTheSavedOne() throws {
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        let temporary = trip.persistentModelID
        #expect(context.model(for: temporary) === trip)
        try context.save()
        #expect(!trip.persistentModelID.isTemporary)
        #expect(context.model(for: temporary) === trip)
        #expect(context.registeredModel(for: temporary) as Trip? === trip)
        trip.name = "Elbrus"
        try context.save()
        #expect(context.model(for: temporary) === trip)
    }

    @Test func oneThatWasTakenBeforeTheInsertionDoesToo() throws {
        let trip = Trip(name: "Ararat")
        let temporary = trip.persistentModelID
        context.insert(trip)
        try context.save()
        #expect(context.model(for: temporary) === trip)
    }
}
