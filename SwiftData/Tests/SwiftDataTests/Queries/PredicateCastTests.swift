import SwiftData
import Testing

/// Predicates that ask for a model's class, of stored and of unsaved models.
@Suite struct PredicateCastTests {
    let container: ModelContainer
    let context: ModelContext

    init() throws {
        container = try makeContainer()
        context = ModelContext(container)
        let (ararat, board) = (Trip(name: "Ararat"), BusinessTrip(name: "Board", company: "Acme"))
        context.insert(ararat)
        context.insert(board)
        context.insert(BusinessTrip(name: "Fair", company: "Other"))
        ararat.stops = [Stop(title: "Camp")]
        board.stops = [Stop(title: "Hotel")]
        board.days = 1
    }

    private func names(_ predicate: Predicate<Trip>) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    /// Before and after a save.
    private func check(
        _ predicate: Predicate<Trip>, _ expected: [String], at place: SourceLocation = #_sourceLocation
    ) throws {
        let unsaved = try names(predicate)
        #expect(unsaved == expected, sourceLocation: place)
        try context.save()
        let saved = try names(predicate)
        #expect(saved == expected, sourceLocation: place)
        let count = try ModelContext(container).fetchCount(FetchDescriptor(predicate: predicate))
        #expect(count == expected.count, sourceLocation: place)
    }

    @Test func classes() throws {
        try check(#Predicate { $0 is BusinessTrip }, ["Board", "Fair"])
        try check(#Predicate { !($0 is BusinessTrip) }, ["Ararat"])
        try check(#Predicate { $0 is BusinessTrip && $0.days == 1 }, ["Board"])
        try check(#Predicate { $0 is BusinessTrip || $0.name == "Ararat" }, ["Ararat", "Board", "Fair"])
    }

    @Test func propertiesOfSubclasses() throws {
        try check(
            #Predicate {
                if let trip = $0 as? BusinessTrip { trip.company == "Acme" } else { false }
            }, ["Board"])
        try check(
            #Predicate {
                if let trip = $0 as? BusinessTrip { trip.company == "Acme" } else { true }
            }, ["Ararat", "Board"])
        try check(#Predicate { ($0 as? BusinessTrip)?.company == "Other" }, ["Fair"])
        try check(#Predicate { ($0 as? BusinessTrip)?.company == nil }, ["Ararat"])
        try check(#Predicate { ($0 as? BusinessTrip) == nil }, ["Ararat"])
    }

    @Test func relatedModels() throws {
        let predicate = #Predicate<Stop> { stop in
            if let trip = stop.trip as? BusinessTrip { trip.company == "Acme" } else { false }
        }
        #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title) == ["Hotel"])
        try context.save()
        #expect(
            try ModelContext(container).fetch(FetchDescriptor(predicate: predicate)).map(\.title) == [
                "Hotel"
            ])
    }
}
