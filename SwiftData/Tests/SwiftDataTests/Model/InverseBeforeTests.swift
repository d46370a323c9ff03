// Relationships whose inverse is stated before the class on the other side is: the compiler looks into that class while it still
// finds out what this one is.

import Foundation
import SwiftData
import Testing

@Model
final class Household {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Kitchen.household) var kitchen: Kitchen?
    @Relationship(inverse: \Guest.households) var guests: Set<Guest> = []

    init(name: String) { self.name = name }
}

@Model
final class Kitchen {
    var stoves: Int
    var household: Household?

    init(stoves: Int) { self.stoves = stoves }
}

@Model
final class Guest: PersistentModel {
    var name: String
    var households: [Household] = []

    init(name: String) { self.name = name }
}

@Suite struct InverseBeforeTests {
    let context: ModelContext

    init() throws {
        context = ModelContext(
            try ModelContainer(
                for: Household.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let (full, empty) = (Household(name: "full"), Household(name: "empty"))
        full.kitchen = Kitchen(stoves: 2)
        full.guests = [Guest(name: "Ann"), Guest(name: "Bob")]
        context.insert(full)
        context.insert(empty)
        try context.save()
    }

    private func names(_ predicate: Predicate<Household>) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name)
    }

    @Test func aRelationshipIsComparedWithNil() throws {
        #expect(try names(#Predicate { $0.kitchen != nil }) == ["full"])
        #expect(try names(#Predicate { $0.kitchen == nil }) == ["empty"])
    }

    @Test func aSetIsARelationship() throws {
        #expect(try names(#Predicate { $0.guests.contains { $0.name == "Ann" } }) == ["full"])
        let ann = try #require(
            try context.fetch(FetchDescriptor<Guest>(predicate: #Predicate { $0.name == "Ann" })).first)
        #expect(ann.households.map(\.name) == ["full"])
    }

    /// As `@Model` makes it one anyway.
    @Test func aClassMayStateThatItIsAModel() throws {
        #expect(Schema([Guest.self]).entitiesByName["Guest"]?.attributes.map(\.name) == ["name"])
        let guest = Guest(name: "Cid")
        context.insert(guest)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Guest>()) == 3)
    }
}
