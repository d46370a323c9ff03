import SwiftData
import Testing

@Model
final class Country {
    #Unique<Country>([\.code])
    @Attribute(.unique) var code: String
    var name: String
    var population: Int?

    init(code: String, name: String, population: Int? = nil) {
        self.code = code
        self.name = name
        self.population = population
    }
}

@Model
final class Seat {
    #Unique<Seat>([\.row, \.number])
    #Index<Seat>([\.guest], [\.row, \.guest])
    var row: String
    var number: Int
    var guest: String

    init(row: String, number: Int, guest: String) {
        self.row = row
        self.number = number
        self.guest = guest
    }
}

@Suite struct UniquenessTests {
    @Test func insertingAValueThatIsThereUpdates() throws {
        let container = try ModelContainer(
            for: Country.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Country(code: "AM", name: "Armenia", population: 3))
        try context.save()
        context.insert(Country(code: "AM", name: "Hayastan"))
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Country>())
        #expect(found.map(\.name) == ["Hayastan"])
        // Both statements of the class mean one constraint.
        #expect(container.schema.entity(for: Country.self)?.uniquenessConstraints == [["code"]])
    }

    @Test func severalPropertiesAreUniqueTogether() throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Seat.self, configurations: ModelConfiguration(url: folder.file("Seats.store")))
        let context = ModelContext(container)
        context.insert(Seat(row: "A", number: 1, guest: "Ann"))
        context.insert(Seat(row: "A", number: 2, guest: "Bob"))
        try context.save()
        context.insert(Seat(row: "A", number: 2, guest: "Cid"))
        try context.save()
        let descriptor = FetchDescriptor<Seat>(sortBy: [SortDescriptor(\.number)])
        #expect(try ModelContext(container).fetch(descriptor).map(\.guest) == ["Ann", "Cid"])
        let entity = try #require(container.schema.entity(for: Seat.self))
        #expect(entity.uniquenessConstraints == [["row", "number"]])
        #expect(entity.indices == [["guest"], ["row", "guest"]])
    }
}
