import SwiftData
import Synchronization
import Testing

@Suite struct ObservationTests {
    @Test func changesOfPropertiesThatWereReadAreTold() throws {
        let context = ModelContext(try makeContainer())
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        let told = Mutex(0)
        func track() {
            withObservationTracking {
                _ = trip.name
            } onChange: {
                told.withLock { $0 += 1 }
            }
        }
        track()
        trip.days = 4
        #expect(told.withLock { $0 } == 0)
        trip.name = "Elbrus"
        #expect(told.withLock { $0 } == 1)
        trip.name = "Etna"
        #expect(told.withLock { $0 } == 1)
        track()
        trip.name = "Elbrus"
        #expect(told.withLock { $0 } == 2)
    }

    @Test func theOtherSideOfARelationshipIsTold() throws {
        let trip = Trip(name: "Ararat")
        let told = Mutex(false)
        withObservationTracking {
            _ = trip.stops.count
        } onChange: {
            told.withLock { $0 = true }
        }
        let stop = Stop(title: "Camp")
        stop.trip = trip
        #expect(told.withLock { $0 })
    }
}
