import SwiftData
import Testing

/// Operators in the class, and properties with names that the library's own members might have.
@Model
final class Crate: Comparable {
    var size: Int
    var storage: String = "here"
    var object: Int = 1
    var modelClass: String = "A"
    var takeObject: Bool = true
    var modelStorage: Int?
    var ownModelClass: Double = 2
    var persisted: String?

    init(size: Int) {
        self.size = size
    }

    static func < (left: Crate, right: Crate) -> Bool { left.size < right.size }
}

@Model
class Sized {
    var size: Int

    init(size: Int) {
        self.size = size
    }

    static func == (left: Sized, right: Sized) -> Bool { left.size == right.size }
}

@Model
final class Named: Sized, Comparable {
    var storage: String

    init(size: Int, storage: String) {
        self.storage = storage
        super.init(size: size)
    }

    static func < (left: Named, right: Named) -> Bool { left.size < right.size }
}

/// Names that Swift takes in backticks only.
@Model
final class `Type` {
    var `in`: String
    var `default`: Int = 7
    var `repeat`: [`Type`] = []

    init(in place: String) {
        self.`in` = place
    }
}

@Suite struct ModelNamesTests {
    @Test func modelsAreCompared() {
        #expect([Crate(size: 2), Crate(size: 1)].sorted().map(\.size) == [1, 2])
        #expect(Sized(size: 1) == Sized(size: 1))
        #expect([Sized(size: 1)].contains(Sized(size: 1)))
        #expect([Sized(size: 1)] != [Sized(size: 2)])
        #expect(Named(size: 1, storage: "a") < Named(size: 2, storage: "b"))
    }

    @Test func propertiesHaveAnyNames() throws {
        let container = try ModelContainer(
            for: Crate.self, Named.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let crate = Crate(size: 1)
        crate.storage = "there"
        crate.object = 2
        crate.modelClass = "B"
        crate.takeObject = false
        crate.modelStorage = 3
        context.insert(crate)
        context.insert(Named(size: 4, storage: "cellar"))
        try context.save()
        let other = ModelContext(container)
        let found = try #require(
            try other.fetch(FetchDescriptor<Crate>(predicate: #Predicate { $0.storage == "there" })).first)
        #expect(found.object == 2 && found.modelClass == "B" && !found.takeObject)
        #expect(found.modelStorage == 3 && found.ownModelClass == 2 && found.persisted == nil)
        #expect(try other.fetch(FetchDescriptor<Sized>()).map(\.size) == [4])
        #expect(try other.fetch(FetchDescriptor<Named>()).map(\.storage) == ["cellar"])
    }

    @Test func namesInBackticksAreStoredWithoutThem() throws {
        let container = try ModelContainer(
            for: `Type`.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let first = `Type`(in: "here")
        context.insert(first)
        first.`repeat`.append(`Type`(in: "there"))
        try context.save()
        let entity = try #require(container.schema.entities.first)
        #expect(entity.name == "Type")
        #expect(entity.storedProperties.map(\.name).sorted() == ["default", "in", "repeat"])
        let found = try ModelContext(container).fetch(
            FetchDescriptor<`Type`>(predicate: #Predicate { $0.`in` == "here" && $0.`default` == 7 }))
        #expect(found.first?.`repeat`.map(\.`in`) == ["there"])
    }
}
