// Models that are given to a context which they don't belong to.

import Foundation
import SwiftData
import Testing

@Suite struct OtherContextTests {
    @Test func insertingThemEndsTheProcess() async throws {
        for isSaved in [false, true] {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { [isSaved = isSaved as Bool] in
                let container = try makeContainer()
                let (own, other) = (ModelContext(container), ModelContext(container))
                let trip = Trip(name: "Ararat")
                own.insert(trip)
                if isSaved { try own.save() }
                other.insert(trip)
            }
            #expect(Self.text(result).contains("a Trip that belongs to another context can't be inserted"))
        }
    }

    @Test func insertingThoseOfAContextThatEndedToo() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try makeContainer()
            let trip = Trip(name: "Ararat")
            do {
                let own = ModelContext(container)
                own.insert(trip)
                try own.save()
            }
            ModelContext(container).insert(trip)
        }
        #expect(Self.text(result).contains("a Trip that belongs to another context can't be inserted"))
    }

    @Test func deletingThemEndsTheProcess() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try makeContainer()
            let (own, other) = (ModelContext(container), ModelContext(container))
            let trip = Trip(name: "Ararat")
            own.insert(trip)
            try own.save()
            other.delete(trip)
        }
        #expect(Self.text(result).contains("a Trip that belongs to another context can't be deleted"))
    }

    @Test func relatingThemEndsTheProcess() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try makeContainer()
            let (own, other) = (ModelContext(container), ModelContext(container))
            let (trip, traveller) = (Trip(name: "Ararat"), Traveller(email: "ann@example.org"))
            own.insert(trip)
            other.insert(traveller)
            trip.traveller = traveller
        }
        #expect(Self.text(result).contains("different contexts"))
    }

    @Test func theContextsOwnModelOfTheIdentifierIsTheWay() throws {
        let container = try makeContainer()
        let (own, other) = (ModelContext(container), ModelContext(container))
        let trip = Trip(name: "Ararat")
        own.insert(trip)
        try own.save()
        let same = try #require(other.model(for: trip.persistentModelID) as? Trip)
        same.days = 9
        other.insert(same)
        try other.save()
        #expect(same !== trip && trip.modelContext == own)
        #expect(try own.fetch(FetchDescriptor<Trip>()).map(\.days) == [9])
    }

    @Test func thoseOfNoContextAreLeftAlone() throws {
        let context = ModelContext(try makeContainer())
        let trip = Trip(name: "Ararat")
        context.delete(trip)
        #expect(!context.hasChanges && trip.modelContext == nil && !trip.isDeleted)
    }

    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
