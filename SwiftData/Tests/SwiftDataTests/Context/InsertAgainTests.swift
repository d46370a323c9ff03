// Models that a rollback dropped, or that were deleted before their first save, and are inserted again.

import Foundation
import SwiftData
import Testing

@Suite struct InsertAgainTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try makeContainer()
        context = ModelContext(container)
        let other = ModelContext(container)
        let trip = Trip(name: "Ararat")
        trip.stops = [Stop(title: "Camp")]
        trip.traveller = Traveller(email: "ann@example.org")
        other.insert(trip)
        try other.save()
    }

    enum Way: CaseIterable {
        case rollback, deletion
    }

    private func trip() throws -> Trip { try #require(try context.fetch(FetchDescriptor<Trip>()).first) }

    private func dropped(_ way: Way) throws -> Stop {
        let stop = Stop(title: "Peak", trip: try trip())
        context.insert(stop)
        switch way {
        case .rollback: context.rollback()
        case .deletion:
            context.delete(stop)
            context.processPendingChanges()
        }
        #expect(stop.modelContext == nil && stop.title == "Peak")
        return stop
    }

    private func savedTitles() throws -> Set<String> {
        let trip = try #require(try ModelContext(container).fetch(FetchDescriptor<Trip>()).first)
        return Set(trip.stops.map(\.title))
    }

    @Test(arguments: Way.allCases)
    func bothSidesKnowTheRelationship(way: Way) throws {
        let stop = try dropped(way)
        context.insert(stop)
        #expect(stop.trip === (try trip()))
        #expect(Set(try trip().stops.map(\.title)) == ["Camp", "Peak"])
        try context.save()
        #expect(Set(try trip().stops.map(\.title)) == ["Camp", "Peak"])
        #expect(try savedTitles() == ["Camp", "Peak"])
    }

    /// What is in the context already, perhaps without a model, is left alone.
    @Test(arguments: Way.allCases)
    func modelsThatNobodyHoldsAreOnTheWay(way: Way) throws {
        let stop = try dropped(way)
        let stay = Stop(title: "Hut", trip: try trip())
        _ = try trip().stops.count
        context.insert(stop)
        try context.save()
        #expect(try savedTitles() == ["Camp", "Peak", "Hut"])
        #expect(stay.modelContext === context)
    }

    @Test(arguments: Way.allCases)
    func theyLeadNoMoreToWhatIsGone(way: Way) throws {
        let stop = try dropped(way)
        let trip = try trip()
        context.delete(trip)
        try context.save()
        context.insert(stop)
        try context.save()
        #expect(stop.trip == nil && trip.modelContext == nil)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Stop>()).map { $0.trip?.name } == [nil])
    }
}
