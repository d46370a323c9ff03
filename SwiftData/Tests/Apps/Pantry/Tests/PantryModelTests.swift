// The app's model layer at work: values, relationships, rules, inheritance.

import Foundation
import SwiftData
import Testing

@testable import Pantry

@Suite struct PantryModelTests {
    let container: ModelContainer
    let context: ModelContext

    init() throws {
        container = try PantryStore.preview()
        context = ModelContext(container)
    }

    /// The only model of a type, read by another context.
    private func reread<Model: PersistentModel>(_ type: Model.Type) throws -> Model {
        let models = try ModelContext(container).fetch(FetchDescriptor<Model>())
        #expect(models.count == 1)
        return try #require(models.first)
    }

    @Test func defaultsAndValues() throws {
        let recipe = Recipe(title: "Soup", minutes: 40, createdAt: Date(timeIntervalSinceReferenceDate: 1))
        recipe.origin = .book(title: "Soups", page: 7)
        recipe.nutrition = Nutrition(energy: 210.5, protein: nil, allergens: ["celery", "milk"])
        recipe.suitable = [.vegan, .glutenFree]
        recipe.cost = Decimal(string: "4.35")!
        recipe.photo = Data(repeating: 7, count: 300_000)
        recipe.difficulty = .demanding
        context.insert(recipe)
        try context.save()

        let read = try reread(Recipe.self)
        #expect(read.title == "Soup" && read.summary == "" && read.minutes == 40 && read.servings == 2)
        #expect(read.createdAt == Date(timeIntervalSinceReferenceDate: 1))
        #expect(read.rating == nil && !read.isFavourite && read.difficulty == .demanding)
        #expect(read.origin == .book(title: "Soups", page: 7))
        #expect(read.nutrition == Nutrition(energy: 210.5, protein: nil, allergens: ["celery", "milk"]))
        #expect(read.suitable == [.vegan, .glutenFree])
        #expect(read.cost == Decimal(string: "4.35")!)
        #expect(read.photo?.count == 300_000)
    }

    @Test func enumerationsAndStructuresInOthers() throws {
        let member = Member(name: "Ann", role: .child, diets: [.vegetarian, .lactoseFree])
        let house = Household(name: "Home")
        house.settings.daysOfReminder = 5
        house.members.append(member)
        house.isSyncing = true
        context.insert(house)
        try context.save()

        let read = try reread(Member.self)
        #expect(read.role == .child && read.diets == [.vegetarian, .lactoseFree] && read.birthday == nil)
        #expect(
            read.household?.settings
                == HouseholdSettings(currency: "EUR", remindsBeforeExpiry: true, daysOfReminder: 5))
        #expect(read.household?.members == [read])
        #expect(read.household?.isSyncing == false)
        #expect(read.household?.owners.isEmpty == true)
    }

    @Test func whatIsEphemeralIsNotStored() throws {
        let member = Member(name: "Bob")
        member.isOnline = true
        context.insert(member)
        try context.save()
        #expect(member.isOnline)
        #expect(try reread(Member.self).isOnline == false)
    }

    @Test func transformers() throws {
        context.insert(Tag(name: "quick", swatch: Swatch(red: 1, green: 2, blue: 3)))
        try context.save()
        #expect(try reread(Tag.self).swatch == Swatch(red: 1, green: 2, blue: 3))
    }

    @Test func listsOfStructures() throws {
        let shop = Shop(
            name: "Corner", place: Coordinate(latitude: 48.2, longitude: 16.37),
            hours: [
                OpeningHours(weekday: 1, opens: 8, closes: 18),
                OpeningHours(weekday: 6, opens: 9, closes: 12),
            ])
        shop.website = URL(string: "https://example.org/shop")
        context.insert(shop)
        try context.save()
        let read = try reread(Shop.self)
        #expect(read.place == Coordinate(latitude: 48.2, longitude: 16.37))
        #expect(read.hours.map(\.weekday) == [1, 6])
        #expect(read.website == URL(string: "https://example.org/shop"))
    }

    @Test func inversesAndOrder() throws {
        let recipe = Recipe(title: "Bread")
        context.insert(recipe)
        recipe.addStep("Mix")
        recipe.addStep("Rest", timer: 3600)
        recipe.addStep("Bake", timer: 2400)
        #expect(recipe.steps.allSatisfy { $0.recipe == recipe })
        let member = Member(name: "Ann", diets: [.vegan])
        context.insert(member)
        member.favourites.append(recipe)
        #expect(recipe.admirers == [member])
        try context.save()
        let read = try reread(Recipe.self)
        #expect(read.orderedSteps.map(\.text) == ["Mix", "Rest", "Bake"])
        #expect(read.orderedSteps.map(\.timer) == [nil, 3600, 2400])
        #expect(read.admirers.map(\.name) == ["Ann"])
        #expect(read.admirers.first?.canEat(read) == false)
    }

    @Test func deleteRules() throws {
        let recipe = Recipe(title: "Bread")
        let flour = Product(name: "Flour")
        context.insert(recipe)
        context.insert(flour)
        recipe.ingredients = [Ingredient(name: "Flour", product: flour), Ingredient(name: "Water")]
        try context.save()
        context.delete(recipe)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Ingredient>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Product>()) == 1)

        context.insert(PantryItem(product: flour, amount: 2))
        try context.save()
        context.delete(flour)
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Product>()) == 1)
        #expect(try context.fetchCount(FetchDescriptor<PantryItem>()) == 1)
    }

    @Test func treesOfOneClass() throws {
        let kitchen = StorageLocation(name: "Kitchen")
        let cupboard = StorageLocation(name: "Cupboard", parent: kitchen)
        let drawer = StorageLocation(name: "Drawer", kind: .refrigerator, parent: cupboard)
        context.insert(drawer)
        try context.save()
        #expect(drawer.path == "Kitchen/Cupboard/Drawer")
        let other = ModelContext(container)
        let top = try #require(
            try other.fetch(FetchDescriptor<StorageLocation>(predicate: #Predicate { $0.parent == nil }))
                .first)
        #expect(top.name == "Kitchen" && top.children.first?.children.first?.kind == .refrigerator)
        other.delete(top)
        try other.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<StorageLocation>()) == 0)
    }

    @Test func inheritance() throws {
        context.insert(Product(name: "Salt", price: 1))
        context.insert(FreshProduct(name: "Leek", shelfLife: 9, season: 9...12))
        context.insert(
            PackagedProduct(
                name: "Rice", barcode: "123", brand: "Acme", contents: Quantity(amount: 500, unit: .gram)))
        try context.save()
        let other = ModelContext(container)
        let all = try other.fetch(FetchDescriptor<Product>(sortBy: [SortDescriptor(\.name)]))
        #expect(all.map(\.name) == ["Leek", "Rice", "Salt"])
        #expect((all[0] as? FreshProduct)?.season == 9...12)
        #expect((all[1] as? PackagedProduct)?.contents == Quantity(amount: 500, unit: .gram))
        #expect(type(of: all[2]) == Product.self)
        let fresh = try other.fetch(
            FetchDescriptor<FreshProduct>(predicate: #Predicate { $0.shelfLife < 10 }))
        #expect(fresh.map(\.name) == ["Leek"])
        let named = try other.fetch(
            FetchDescriptor<PackagedProduct>(predicate: #Predicate { $0.name == "Rice" }))
        #expect(named.first?.brand == "Acme")
    }

    @Test func uniqueValuesUpdateWhatIsThere() throws {
        context.insert(Recipe(title: "Soup", minutes: 30))
        try context.save()
        let other = ModelContext(container)
        other.insert(Recipe(title: "Soup", minutes: 45))
        try other.save()
        #expect(try reread(Recipe.self).minutes == 45)
    }

    @Test func rollbackAndChanges() throws {
        let list = ShoppingList(title: "Saturday")
        list.items = [ShoppingItem("Milk"), ShoppingItem("Eggs")]
        context.insert(list)
        try context.save()
        #expect(!context.hasChanges)
        list.items.first { $0.text == "Milk" }?.isDone = true
        list.title = "Sunday"
        #expect(context.hasChanges && list.hasChanges)
        #expect(list.open.map(\.text) == ["Eggs"])
        context.rollback()
        #expect(list.title == "Saturday" && list.open.count == 2)
        #expect(!context.hasChanges)
    }
}
