import SwiftData
import Testing

@Suite struct ModelContextBatchesTests {
    let container: ModelContainer
    let context: ModelContext

    init() throws {
        container = try makeContainer()
        context = ModelContext(container)
        for number in 0..<25 {
            let trip =
                number % 5 == 0 ? BusinessTrip(name: "b\(number)", company: "c") : Trip(name: "t\(number)")
            trip.days = number
            context.insert(trip)
        }
        try context.save()
    }

    @Test func allModelsAreEnumeratedInOrder() throws {
        var seen: [Int] = []
        let other = ModelContext(container)
        try other.enumerate(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.days)]), batchSize: 4) {
            seen.append($0.days)
        }
        #expect(seen == Array(0..<25))
    }

    @Test func changesOfAnEnumerationMustBeAllowed() throws {
        #expect(throws: SwiftDataError.modelValidationFailure) {
            try context.enumerate(FetchDescriptor<Trip>(), batchSize: 4) { $0.days += 1 }
        }
        context.rollback()
        try context.enumerate(FetchDescriptor<Trip>(), batchSize: 4, allowEscapingMutations: true) {
            $0.days += 100
        }
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.days >= 100 })) == 25)
    }

    @Test func modelsAreDeletedByACondition() throws {
        try context.delete(model: Trip.self, where: #Predicate { $0.days < 10 })
        #expect(context.deletedModelsArray.count == 10)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 15)
        try context.delete(model: Trip.self, includeSubclasses: false)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).allSatisfy { $0 is BusinessTrip })
        try context.delete(model: BusinessTrip.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
    }

    @Test func resultsAreReadInBatches() throws {
        let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.days)])
        let results = try context.fetch(descriptor, batchSize: 7)
        #expect(results.count == 25)
        #expect(results.map(\.days) == Array(0..<25))
        #expect(results[24].days == 24)
        #expect(try context.fetchIdentifiers(descriptor, batchSize: 7).last == results[24].persistentModelID)
        context.insert(Trip(name: "new"))
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            try context.fetch(descriptor, batchSize: 7)
        }
    }

    @Test func unsavedChangesCountUnlessLeftOut() throws {
        context.insert(Trip(name: "new"))
        var descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "new" })
        #expect(try context.fetchCount(descriptor) == 1)
        descriptor.includePendingChanges = false
        #expect(try context.fetchCount(descriptor) == 0)
    }

    @Test func relatedModelsAreReadAtOnce() throws {
        let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        trip.stops = [Stop(title: "Camp")]
        try context.save()
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.days)])
        descriptor.relationshipKeyPathsForPrefetching = [\.stops, \.traveller]
        descriptor.propertiesToFetch = [\.name]
        let found = try ModelContext(container).fetch(descriptor)
        #expect(found.flatMap(\.stops).map(\.title) == ["Camp"])
        #expect(found.map(\.days) == Array(0..<25))
    }
}
