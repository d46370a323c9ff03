// Containers whose configurations have models of their own.

import Foundation
import SwiftData
import Testing

private typealias Dish = PantriesV1.Dish
private typealias Step = PantriesV1.Step
private typealias Tasting = PantriesV1.Tasting

@Suite struct SeveralStoresTests {
    private let folder: TemporaryFolder
    private var dishes: URL { folder.file("Dishes.store") }
    private var tastings: URL { folder.file("Tastings.store") }

    init() throws { folder = try TemporaryFolder() }

    private func open(dishesAreReadOnly: Bool = false) throws -> ModelContainer {
        try ModelContainer(
            for: Dish.self, Tasting.self,
            configurations: ModelConfiguration(
                schema: Schema([Dish.self]), url: dishes, allowsSave: !dishesAreReadOnly),
            ModelConfiguration(schema: Schema([Tasting.self]), url: tastings))
    }

    private func openDishes() throws -> ModelContainer {
        try ModelContainer(for: Dish.self, configurations: ModelConfiguration(url: dishes))
    }

    private func add(_ title: String, _ steps: String..., to context: ModelContext) {
        let dish = Dish(title: title)
        dish.steps = steps.map(Step.init)
        context.insert(dish)
    }

    private func titles(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<Dish>(sortBy: [SortDescriptor(\.title)])).map(
            \.title)
    }

    @Test func aReadOnlyStoreOfItsModelsOnlyIsOpened() throws {
        do {
            let context = ModelContext(try openDishes())
            add("Soup", "boil", to: context)
            try context.save()
        }
        let container = try open(dishesAreReadOnly: true)
        let context = ModelContext(container)
        context.insert(Tasting(text: "salty"))
        try context.save()
        let soup = try #require(try context.fetch(FetchDescriptor<Dish>()).first)
        #expect(soup.title == "Soup" && soup.steps.map(\.text) == ["boil"])
        #expect(try context.fetch(FetchDescriptor<Tasting>()).map(\.text) == ["salty"])
        soup.title = "Broth"
        #expect(throws: CocoaError.self) { try context.save() }
    }

    @Test func aStoreShowsItsModelsOnly() throws {
        do {
            let context = ModelContext(
                try ModelContainer(
                    for: Dish.self, Tasting.self, configurations: ModelConfiguration(url: dishes)))
            context.insert(Tasting(text: "old"))
            add("Soup", to: context)
            try context.save()
        }
        let container = try open()
        let context = ModelContext(container)
        context.insert(Tasting(text: "new"))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Tasting>()).map(\.text) == ["new"])
        #expect(try titles(container) == ["Soup"])
    }

    @Test func relationshipsRulesAndUniqueValuesHoldInEach() throws {
        let container = try open()
        let context = ModelContext(container)
        add("Soup", "boil", "stir", to: context)
        add("Cake", "bake", to: context)
        context.insert(Tasting(text: "salty"))
        try context.save()
        add("Soup", "cook", to: context)
        try context.save()
        let other = ModelContext(container)
        let soup = try #require(
            try other.fetch(FetchDescriptor<Dish>(predicate: #Predicate { $0.title == "Soup" })).first)
        #expect(soup.steps.map(\.text).contains("cook"))
        let cooking = FetchDescriptor<Step>(predicate: #Predicate { $0.dish?.title == "Cake" })
        #expect(try other.fetch(cooking).map(\.text) == ["bake"])
        try other.delete(model: Dish.self)
        try other.save()
        #expect(try titles(container) == [])
        #expect(try other.fetchCount(cooking) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Tasting>()) == 1)
    }

    @Test func historiesOfBothAreRead() throws {
        let container = try open()
        let context = ModelContext(container)
        add("Soup", to: context)
        context.insert(Tasting(text: "salty"))
        try context.save()
        let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(Set(all.map(\.storeIdentifier)).count == 2)
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
        try container.erase()
        #expect(try titles(container) == [])
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tasting>()) == 0)
        add("Cake", to: context)
        context.insert(Tasting(text: "sweet"))
        try context.save()
        #expect(try titles(container) == ["Cake"])
        #expect(try ModelContext(container).fetch(FetchDescriptor<Tasting>()).map(\.text) == ["sweet"])
    }

    @Test func identifiersLeadToTheirStore() throws {
        let container = try open()
        let context = ModelContext(container)
        let tasting = Tasting(text: "salty")
        context.insert(tasting)
        try context.save()
        let data = try JSONEncoder().encode(tasting.persistentModelID)
        let id = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
        for container in [container, try open()] {
            let other = ModelContext(container)
            #expect((other.model(for: id) as? Tasting)?.text == "salty")
            let found = try other.fetch(
                FetchDescriptor<Tasting>(predicate: #Predicate { $0.persistentModelID == id }))
            #expect(found.map(\.text) == ["salty"])
        }
    }

    @Test func newModelsGoWhereTheyCanBeWritten() throws {
        do {
            let context = ModelContext(try openDishes())
            add("Soup", to: context)
            try context.save()
        }
        let own = folder.file("Own.store")
        let container = try ModelContainer(
            for: Dish.self, Tasting.self,
            configurations: ModelConfiguration(schema: Schema([Dish.self]), url: dishes, allowsSave: false),
            ModelConfiguration(url: own))
        let context = ModelContext(container)
        add("Cake", "bake", to: context)
        context.insert(Tasting(text: "sweet"))
        try context.save()
        #expect(try titles(container) == ["Cake", "Soup"])
        #expect(try titles(try openDishes()) == ["Soup"])
    }

    @Test func anUnnamedSubclassGoesWithItsSuperclass() throws {
        let container = try ModelContainer(
            for: Vehicle.self, Truck.self, Tasting.self,
            configurations: ModelConfiguration(schema: Schema([Tasting.self]), url: tastings),
            ModelConfiguration(schema: Schema([Vehicle.self]), url: dishes))
        let context = ModelContext(container)
        let (truck, car) = (Truck(plate: "T 1", load: 2), Vehicle(plate: "A 1"))
        context.insert(truck)
        context.insert(car)
        try context.save()
        #expect(truck.persistentModelID.storeIdentifier == car.persistentModelID.storeIdentifier)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Vehicle>()) == 2)
    }

    @Test func modelsMadeForAnotherContainerAreInserted() throws {
        let container = try open()
        let dish = Dish(title: "Soup")
        dish.steps = [Step(text: "boil")]
        let whole = try ModelContainer(
            for: Dish.self, Tasting.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        for (container, dish) in [(whole, dish), (container, Dish(title: "Cake"))] {
            let context = ModelContext(container)
            context.insert(dish)
            try context.save()
            #expect(try titles(container) == [dish.title])
        }
    }

    @Test func aPlanMigratesEach() throws {
        do {
            let context = ModelContext(try open())
            add("Soup", "boil", "stir", to: context)
            context.insert(Tasting(text: "salty"))
            try context.save()
        }
        for _ in 0..<2 {
            let container = try ModelContainer(
                for: Schema(versionedSchema: PantriesV2.self), migrationPlan: PantriesPlan.self,
                configurations: ModelConfiguration(schema: Schema([PantriesV2.Dish.self]), url: dishes),
                ModelConfiguration(schema: Schema([PantriesV2.Tasting.self]), url: tastings))
            let context = ModelContext(container)
            let dish = try #require(try context.fetch(FetchDescriptor<PantriesV2.Dish>()).first)
            #expect(dish.title == "Soup" && dish.stepCount == 2 && dish.steps.count == 2)
            let tasting = try #require(try context.fetch(FetchDescriptor<PantriesV2.Tasting>()).first)
            #expect(tasting.body == "salty" && tasting.length == 5)
            tasting.body = "sweet"
            try context.save()
            tasting.body = "salty"
            try context.save()
        }
    }

    @Test func aPlanLeavesStoresOfTheirModelsOnlyAlone() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [PantriesV1.self] }
            static var stages: [MigrationStage] { [] }
        }
        do {
            let context = ModelContext(try openDishes())
            add("Soup", "boil", to: context)
            try context.save()
        }
        for isReadOnly in [true, false] {
            let container = try ModelContainer(
                for: Schema(versionedSchema: PantriesV1.self), migrationPlan: Plan.self,
                configurations: ModelConfiguration(
                    schema: Schema([Dish.self]), url: dishes, allowsSave: !isReadOnly),
                ModelConfiguration(schema: Schema([Tasting.self]), url: tastings))
            #expect(try titles(container) == ["Soup"])
        }
    }

    @Test func onlyTheStoreWhoseModelsChangedIsMigratedByInference() throws {
        do {
            let context = ModelContext(try openDishes())
            add("Soup", "boil", to: context)
            try context.save()
        }
        do {
            let context = ModelContext(
                try ModelContainer(for: Tasting.self, configurations: ModelConfiguration(url: tastings)))
            context.insert(Tasting(text: "salty"))
            try context.save()
        }
        let container = try ModelContainer(
            for: Dish.self, PantriesV2.Tasting.self,
            configurations: ModelConfiguration(schema: Schema([Dish.self]), url: dishes, allowsSave: false),
            ModelConfiguration(schema: Schema([PantriesV2.Tasting.self]), url: tastings))
        #expect(
            try ModelContext(container).fetch(FetchDescriptor<PantriesV2.Tasting>()).map(\.body) == ["salty"])
        #expect(try titles(container) == ["Soup"])
    }
}
