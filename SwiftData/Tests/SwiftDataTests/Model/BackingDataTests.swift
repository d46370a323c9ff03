import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct BackingDataTests {
    @Test func valuesAreReadAndSetByKeyPath() throws {
        let context = ModelContext(try makeContainer())
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        trip.setValue(forKey: \.name, to: "Elbrus")
        trip.setValue(forKey: \.days, to: 9)
        trip.setValue(forKey: \.weather, to: .rainy)
        trip.setValue(forKey: \.place, to: Place(latitude: 1, longitude: 2))
        let (stop, traveller) = (Stop(title: "Camp"), Traveller(email: "a@b"))
        trip.setValue(forKey: \.stops, to: [stop])
        trip.setValue(forKey: \.traveller, to: traveller)
        #expect(trip.getValue(forKey: \.name) == "Elbrus")
        #expect(trip.getValue(forKey: \.days) == 9)
        #expect(trip.getValue(forKey: \.weather) == .rainy)
        #expect(trip.getValue(forKey: \.place) == Place(latitude: 1, longitude: 2))
        #expect(trip.getValue(forKey: \.stops).first === stop)
        #expect(trip.getValue(forKey: \.traveller) === traveller)
        #expect(trip.name == "Elbrus" && trip.place?.longitude == 2 && stop.trip === trip)
        let data = trip.persistentBackingData
        #expect(data.persistentModelID == trip.persistentModelID)
        #expect(data.getValue(forKey: \.name) == "Elbrus")
        data.setValue(forKey: \.name, to: "Etna")
        #expect(trip.name == "Etna")
    }

    @Test func aModelIsMadeOfValues() throws {
        let data: some BackingData<Trip> = Trip.createBackingData()
        data.setValue(forKey: \.name, to: "Etna")
        let trip = Trip(backingData: data)
        #expect(trip.name == "Etna")
        #expect(trip.days == 3)
        #expect(data.persistentModelID == nil)
        let other = Trip(name: "")
        other.persistentBackingData = data
        #expect(other.name == "Etna")
        #expect(Trip.schemaMetadata.count > 10)
    }
}
