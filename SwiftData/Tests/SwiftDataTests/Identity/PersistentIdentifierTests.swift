import Foundation
import SwiftData
import Testing

@Suite struct PersistentIdentifierTests {
    @Test func aSavedModelIsFoundByItsEncodedIdentifier() throws {
        let container = try makeContainer()
        let context = ModelContext(container)
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        let temporary = trip.persistentModelID
        #expect(temporary.isTemporary)
        #expect(temporary.storeIdentifier == nil)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(temporary) }
        try context.save()
        let identifier = trip.persistentModelID
        #expect(!identifier.isTemporary)
        #expect(identifier.entityName == "Trip")
        #expect(identifier.storeIdentifier != nil)
        let coded = try JSONDecoder().decode(
            PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
        #expect(coded == identifier)
        #expect(coded.id == identifier.id)
        #expect(Set([coded, identifier]).count == 1)
        let other = ModelContext(container)
        #expect((other.model(for: coded) as? Trip)?.name == "Ararat")
        let stated = try PersistentIdentifier.identifier(
            for: try #require(identifier.storeIdentifier), entityName: "Trip", primaryKey: 1)
        #expect(stated == identifier)
        #expect(!(stated < identifier))
    }
}

@Suite struct IdentifierPredicateTests {
    @Test func modelsAreFoundByIdentifiers() throws {
        let container = try makeContainer()
        let context = ModelContext(container)
        let trips = ["Ararat", "Baikal", "Caucasus"].map { Trip(name: $0) }
        trips.forEach(context.insert)
        let stop = Stop(title: "Camp", trip: trips[1])
        try context.save()
        let coded = try JSONDecoder().decode(
            PersistentIdentifier.self, from: JSONEncoder().encode(trips[1].persistentModelID))
        let other = ModelContext(container)
        let found = try other.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == coded }))
        #expect(found.map(\.name) == ["Baikal"])
        let stops = try other.fetch(
            FetchDescriptor<Stop>(predicate: #Predicate { $0.trip?.persistentModelID == coded }))
        #expect(stops.map(\.title) == [stop.title])
        let ids = [trips[0].persistentModelID, trips[2].persistentModelID]
        let several = FetchDescriptor<Trip>(
            predicate: #Predicate { ids.contains($0.persistentModelID) }, sortBy: [SortDescriptor(\.name)])
        #expect(try other.fetch(several).map(\.name) == ["Ararat", "Caucasus"])
        let sorted = FetchDescriptor<Stop>(sortBy: [SortDescriptor(\.trip?.name)])
        #expect(try other.fetch(sorted).count == 1)
    }
}
