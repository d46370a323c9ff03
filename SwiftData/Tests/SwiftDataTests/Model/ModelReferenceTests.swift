import CoreData
import Foundation
import SwiftData
import Testing

/// The object of a row knows its model as long as somebody uses it, and no longer.
@Suite struct ModelReferenceTests {
    @Test func aModelInUseIsTheOneThatIsFoundAgain() throws {
        let context = ModelContext(try makeContainer())
        context.insert(Trip(name: "Ararat"))
        try context.save()
        let first = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        let again = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        #expect(first === again)
        #expect(context.model(for: first.persistentModelID) as AnyObject === first)
    }

    /// A context with a stop in use, whose trip's model is gone. The stop's object holds the trip's, which outlives its model.
    private func stopOfUnusedTrip() throws -> (ModelContext, Stop) {
        let context = ModelContext(try makeContainer())
        weak var gone: Trip?
        do {
            let trip = Trip(name: "Ararat")
            trip.stops = [Stop(title: "Camp")]
            context.insert(trip)
            gone = trip
            try context.save()
        }
        #expect(gone == nil)
        return (context, try #require(try context.fetch(FetchDescriptor<Stop>()).first))
    }

    @Test func anObjectWhoseModelIsGoneGetsAnother() throws {
        let (context, stop) = try stopOfUnusedTrip()
        for round in 1...100 {
            weak var gone: Trip?
            do {
                let trip = try #require(stop.trip)
                #expect(trip === stop.trip)
                trip.days = round
                gone = trip
            }
            // Changed models are held until they are saved.
            #expect(gone != nil)
            try context.save()
            #expect(gone == nil)
            #expect(stop.trip?.days == round)
        }
    }

    /// Whoever used a model last may be on any thread, while its context looks whether it is in use.
    @Test func theLastUseOfAModelMayEndOnAnotherThread() throws {
        let (context, stop) = try stopOfUnusedTrip()
        var names: Set<String> = []
        for _ in 0..<2_000 {
            let address = UInt(bitPattern: Unmanaged.passRetained(try #require(stop.trip)).toOpaque())
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) {
                guard let trip = UnsafeRawPointer(bitPattern: address) else { return }
                Unmanaged<Trip>.fromOpaque(trip).release()
            }
            names.insert(stop.trip?.name ?? "none")
            group.wait()
        }
        #expect(names == ["Ararat"])
        withExtendedLifetime(context) {}
    }

    @Test func aModelCanBeLookedAtByReflection() throws {
        let trip = Trip(name: "Ararat")
        var text = ""
        dump(trip, to: &text, maxDepth: 2)
        #expect(text.contains("Trip"))
        #expect(Mirror(reflecting: trip).children.count > 0)
    }
}
