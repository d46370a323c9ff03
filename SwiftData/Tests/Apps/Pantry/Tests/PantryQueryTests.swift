// The app's descriptors and predicates over an SQLite store, and its actor.

import Foundation
import SwiftData
import Testing

@testable import Pantry

@Suite final class PantryQueryTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "Pantry-\(UUID().uuidString)")
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = try PantryStore.container(at: folder.appending(path: "Pantry.store"))
        context = ModelContext(container)
        try Self.fill(context)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func fill(_ context: ModelContext) throws {
        let leek = FreshProduct(name: "Leek", shelfLife: 9)
        let rice = PackagedProduct(
            name: "Rice", barcode: "123", brand: "Acme", contents: Quantity(amount: 500, unit: .gram))
        let soup = Recipe(title: "Leek soup", summary: "Warm", minutes: 40)
        soup.ingredients = [Ingredient(name: "Leek", product: leek), Ingredient(name: "Water")]
        soup.rating = 4.5
        let risotto = Recipe(title: "Risotto", summary: "With Leek", minutes: 35)
        risotto.ingredients = [
            Ingredient(name: "Rice", product: rice), Ingredient(name: "Leek", product: leek),
        ]
        risotto.servings = 4
        risotto.rating = 3
        let toast = Recipe(title: "Toast", minutes: 5)
        for recipe in [soup, risotto, toast] { context.insert(recipe) }
        let vegetarian = Tag(name: "vegetarian")
        context.insert(vegetarian)
        vegetarian.recipes = [soup, toast]

        let kitchen = StorageLocation(name: "Kitchen")
        let cold = StorageLocation(name: "Fridge", kind: .refrigerator, parent: kitchen)
        let item = PantryItem(product: leek, amount: 3, expiresAt: Date(timeIntervalSinceReferenceDate: 100))
        item.location = cold
        let sack = PantryItem(product: rice, amount: 1)
        sack.location = kitchen
        context.insert(item)
        context.insert(sack)

        let done = ShoppingList(title: "Done")
        done.items = [ShoppingItem("Salt")]
        done.items[0].isDone = true
        let open = ShoppingList(title: "Open")
        open.items = [ShoppingItem("Milk", product: leek)]
        context.insert(done)
        context.insert(open)
        try context.save()
    }

    private func titles(_ descriptor: FetchDescriptor<Recipe>) throws -> [String] {
        try ModelContext(container).fetch(descriptor).map(\.title)
    }

    @Test func descriptors() throws {
        #expect(try titles(.search("LEEK")) == ["Leek soup", "Risotto"])
        #expect(try titles(.search("", maximum: 2)) == ["Leek soup", "Risotto"])
        #expect(try titles(.quick(40, for: 2)) == ["Toast", "Risotto", "Leek soup"])
        #expect(try titles(.quick(40, for: 3)) == ["Risotto"])
        #expect(try titles(.tagged("vegetarian")) == ["Leek soup", "Toast"])
        #expect(try titles(.rated(3.5)) == ["Leek soup"])
        #expect(try titles(.rated(1)) == ["Leek soup", "Risotto"])
        let leek = try #require(
            try context.fetch(FetchDescriptor<Product>(predicate: #Predicate { $0.name == "Leek" })).first)
        #expect(try titles(.using(leek)) == ["Leek soup", "Risotto"])
    }

    @Test func predicatesOverRelationships() throws {
        let early = PantryItem.expiring(before: Date(timeIntervalSinceReferenceDate: 200))
        #expect(try context.fetch(FetchDescriptor(predicate: early)).map { $0.product?.name } == ["Leek"])
        #expect(try context.fetchCount(FetchDescriptor(predicate: PantryItem.lying(in: "Kitchen"))) == 2)
        #expect(try context.fetchCount(FetchDescriptor(predicate: PantryItem.lying(in: "Fridge"))) == 1)
        #expect(
            try context.fetch(FetchDescriptor(predicate: ShoppingList.unfinished)).map(\.title) == ["Open"])
    }

    @Test func pagesAndCounts() throws {
        var descriptor = FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.title)])
        #expect(try context.fetchCount(descriptor) == 3)
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 1
        #expect(try titles(descriptor) == ["Risotto"])
        let ids = try context.fetchIdentifiers(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.title)]))
        #expect(ids.count == 3)
        #expect((context.model(for: ids[2]) as? Recipe)?.title == "Toast")
        var seen: [String] = []
        try context.enumerate(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.title)]), batchSize: 2) {
            seen.append($0.title)
        }
        #expect(seen == ["Leek soup", "Risotto", "Toast"])
    }

    @Test func deletingByPredicate() throws {
        try context.delete(model: Recipe.self, where: #Predicate { $0.minutes < 36 })
        try context.save()
        #expect(try titles(FetchDescriptor()) == ["Leek soup"])
    }

    @Test func theImporterWorksInTheBackground() async throws {
        let importer = RecipeImporter(modelContainer: container)
        let ids = try await importer.importRecipes([
            RecipeDraft(title: "Toast", minutes: 6, ingredients: ["Bread"], tags: ["quick", "vegetarian"]),
            RecipeDraft(title: "Pie", minutes: 90, ingredients: ["Flour", "Leek"]),
        ])
        #expect(await importer.count() == 2)
        let fresh = ModelContext(container)
        #expect(ids.compactMap { (fresh.model(for: $0) as? Recipe)?.title } == ["Toast", "Pie"])
        #expect(try fresh.fetchCount(FetchDescriptor<PantrySchemaV2.Tag>()) == 2)
        #expect(try titles(.tagged("quick")) == ["Toast"])
        try await importer.rename(ids[1], to: "Leek pie")
        #expect(try titles(.search("pie")) == ["Leek pie"])
    }

    @Test func transactions() throws {
        try context.transaction {
            for recipe in try context.fetch(FetchDescriptor<Recipe>()) { recipe.isFavourite = true }
        }
        let favourites = FetchDescriptor<Recipe>(predicate: #Predicate { $0.isFavourite })
        #expect(try ModelContext(container).fetchCount(favourites) == 3)
    }
}
