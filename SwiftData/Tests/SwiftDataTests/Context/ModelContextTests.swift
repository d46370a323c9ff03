import Foundation
import SwiftData
import Testing

@Suite struct ModelContextTests {
    let container: ModelContainer
    let context: ModelContext

    init() throws {
        container = try makeContainer()
        context = ModelContext(container)
    }

    @Test func savedModelsAreFetchedInAnotherContext() throws {
        let trip = Trip(name: "Ararat")
        trip.days = 12
        trip.price = 12.5
        trip.begin = Date(timeIntervalSinceReferenceDate: 1000)
        trip.rating = 4.5
        trip.link = URL(string: "https://example.org/ararat")
        trip.picture = Data([1, 2, 3])
        trip.weather = .snowy
        trip.forecast = .rainy
        trip.place = Place(latitude: 39.7, longitude: 44.3, label: "peak")
        trip.tags = ["high", "cold"]
        trip.tiny = 200
        context.insert(trip)
        #expect(context.hasChanges)
        try context.save()
        #expect(!context.hasChanges)

        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        #expect(found !== trip)
        #expect(found.name == "Ararat")
        #expect(found.days == 12)
        #expect(found.isBooked == false)
        #expect(found.price == 12.5)
        #expect(found.begin == Date(timeIntervalSinceReferenceDate: 1000))
        #expect(found.rating == 4.5)
        #expect(found.code == trip.code)
        #expect(found.link == trip.link)
        #expect(found.picture == Data([1, 2, 3]))
        #expect(found.weather == .snowy)
        #expect(found.forecast == .rainy)
        #expect(found.place == Place(latitude: 39.7, longitude: 44.3, label: "peak"))
        #expect(found.tags == ["high", "cold"])
        #expect(found.tiny == 200)
        #expect(found.short == 1)
        #expect(found.factor == 0.5)
        #expect(found.notes == [])
    }

    @Test func aContextHasOneModelForEachRow() throws {
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).first === trip)
        #expect(trip.persistentModelID == trip.id)
        #expect(context.registeredModel(for: trip.persistentModelID) as Trip? === trip)
        #expect(context.model(for: trip.persistentModelID) as? Trip === trip)
    }

    @Test func predicatesAndOrder() throws {
        for (name, days) in [("Ararat", 3), ("Baikal", 9), ("Caucasus", 6)] {
            let trip = Trip(name: name)
            trip.days = days
            trip.weather = days > 5 ? .rainy : .sunny
            context.insert(trip)
        }
        try context.save()
        var descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.days > 5 }, sortBy: [SortDescriptor(\.days)])
        #expect(try context.fetch(descriptor).map(\.name) == ["Caucasus", "Baikal"])
        descriptor.fetchLimit = 1
        #expect(try context.fetch(descriptor).map(\.name) == ["Caucasus"])
        descriptor.fetchOffset = 1
        #expect(try context.fetch(descriptor).map(\.name) == ["Baikal"])
        #expect(
            try context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.name.contains("a") }))
                == 3)
        #expect(try context.fetchIdentifiers(FetchDescriptor<Trip>()).count == 3)
    }

    @Test func aNewModelIsRelatedToNewAndInsertedOnesAtOnce() throws {
        let camp = Stop(title: "Camp")
        context.insert(camp)
        let trip = Trip(name: "Ararat")
        trip.stops = [Stop(title: "Peak"), camp, Stop(title: "Hut")]
        #expect(trip.modelContext === context && trip.stops.allSatisfy { $0.modelContext === context })
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Trip>()).flatMap(\.stops)
        #expect(Set(found.map(\.title)) == ["Camp", "Peak", "Hut"])
    }

    @Test func relationshipsKeepBothSidesInStep() throws {
        let trip = Trip(name: "Ararat")
        let stop = Stop(title: "Camp", trip: trip)
        #expect(trip.stops.first === stop)
        trip.stops.append(Stop(title: "Peak", position: 1))
        context.insert(trip)
        #expect(context.insertedModelsArray.count == 3)
        try context.save()
        let other = ModelContext(container)
        let descriptor = FetchDescriptor<Stop>(
            predicate: #Predicate { $0.trip?.name == "Ararat" }, sortBy: [SortDescriptor(\.position)])
        #expect(try other.fetch(descriptor).map(\.title) == ["Camp", "Peak"])
    }

    @Test func deletesCascade() throws {
        let trip = Trip(name: "Ararat")
        trip.stops = [Stop(title: "Camp"), Stop(title: "Peak")]
        context.insert(trip)
        try context.save()
        context.delete(trip)
        #expect(trip.isDeleted)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Stop>()) == 0)
    }

    @Test func rollbackDropsChanges() throws {
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        try context.save()
        trip.name = "Elbrus"
        #expect(trip.hasChanges)
        #expect(context.changedModelsArray.count == 1)
        context.rollback()
        #expect(trip.name == "Ararat")
        #expect(!context.hasChanges)
    }

    @Test func aDeletedModelCanBeInsertedAgain() throws {
        let trip = BusinessTrip(name: "Fair", company: "Initech")
        trip.place = Place(latitude: 1, longitude: 2, label: "hall")
        trip.tags = ["new"]
        context.insert(trip)
        try context.save()
        let old = trip.persistentModelID
        context.delete(trip)
        try context.save()
        #expect(trip.modelContext == nil && trip.company == "Initech")
        context.insert(trip)
        #expect(trip.modelContext === context)
        try context.save()
        #expect(trip.persistentModelID != old)
        trip.days = 9
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<BusinessTrip>())
        #expect(found.map(\.company) == ["Initech"] && found.map(\.name) == ["Fair"])
        #expect(found.map(\.place) == [Place(latitude: 1, longitude: 2, label: "hall")])
        #expect(found.map(\.tags) == [["new"]] && found.map(\.days) == [9])
    }

    @Test func modelsThatARollbackDroppedCanBeInsertedAgain() throws {
        let trip = Trip(name: "Ararat")
        trip.stops = [Stop(title: "Camp"), Stop(title: "Peak")]
        context.insert(trip)
        context.rollback()
        #expect(trip.modelContext == nil && trip.stops.count == 2)
        context.insert(trip)
        #expect(context.insertedModelsArray.count == 3)
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Trip>())
        #expect(found.map { $0.stops.count } == [2])
    }

    @Test func subclassesInherit() throws {
        let trip = BusinessTrip(name: "Fair", company: "Initech")
        trip.days = 2
        context.insert(trip)
        context.insert(Trip(name: "Ararat"))
        try context.save()
        let other = ModelContext(container)
        let all = try other.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
        #expect(all.map(\.name) == ["Ararat", "Fair"])
        let business = try #require(all.last as? BusinessTrip)
        #expect(business.company == "Initech")
        #expect(business.days == 2)
        #expect(try other.fetch(FetchDescriptor<BusinessTrip>()).first === business)
    }
}
