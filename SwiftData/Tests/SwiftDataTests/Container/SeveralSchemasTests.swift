import SwiftData
import Testing

/// Models that are made while one container was the last one, and inserted into a context of another.
@Suite struct SeveralSchemasTests {
    @Test func relatedModelsComeAlong() throws {
        let first = try ModelContainer(
            for: Country.self, Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let trip = Trip(name: "Ararat")
        let second = try makeContainer()
        let stop = Stop(title: "Camp")
        trip.stops = [stop]
        trip.traveller = Traveller(email: "ann@example.org")
        for (container, isFirst) in [(second, false), (first, true)] {
            let context = ModelContext(container)
            let moved = isFirst ? Trip(name: "Elbrus") : trip
            if isFirst { moved.stops = [Stop(title: "Camp")] }
            context.insert(moved)
            #expect(moved.stops.map(\.title) == ["Camp"])
            try context.save()
            let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Trip>()).first)
            #expect(found.stops.map(\.title) == ["Camp"])
            #expect(found.traveller?.email == (isFirst ? nil : "ann@example.org"))
        }
        #expect(stop.trip === trip)
    }
}
