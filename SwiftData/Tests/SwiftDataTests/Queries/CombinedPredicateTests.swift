import Foundation
import SwiftData
import Testing

/// Predicates that are made of others while the program runs.
@Suite struct CombinedPredicateTests {
    private static func all<Model>(_ predicates: [Predicate<Model>]) -> Predicate<Model> {
        predicates.reduce(.true) { all, next in
            Predicate {
                PredicateExpressions.build_Conjunction(
                    lhs: PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(all), $0),
                    rhs: PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(next), $0))
            }
        }
    }

    @Test func predicatesAreJoined() throws {
        let context = ModelContext(
            try ModelContainer(
                for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        for (name, days) in [("Ararat", 9), ("Elbrus", 9), ("Etna", 2)] {
            let trip = Trip(name: name)
            trip.days = days
            context.insert(trip)
        }
        try context.save()
        let joined = Self.all([#Predicate<Trip> { $0.days > 5 }, #Predicate { $0.name.starts(with: "E") }])
        #expect(try context.fetch(FetchDescriptor(predicate: joined)).map(\.name) == ["Elbrus"])
        let none: [Predicate<Trip>] = []
        #expect(try context.fetchCount(FetchDescriptor(predicate: Self.all(none))) == 3)
    }
}
