// A store of the first release, opened by the second.

import Foundation
import SwiftData
import Testing

@testable import Pantry

@Suite final class PantryMigrationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "Pantry-\(UUID().uuidString)")
    private let url: URL

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: "Pantry.store")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func first(_ fill: (ModelContext) -> Void) throws {
        let schema = Schema(versionedSchema: PantrySchemaV1.self)
        let container = try ModelContainer(
            for: schema, configurations: ModelConfiguration(schema: schema, url: url))
        let context = ModelContext(container)
        fill(context)
        try context.save()
    }

    @Test func recipesComeWithTheirTextAndIngredients() throws {
        try first { context in
            for day in 1...3 {
                let recipe = PantrySchemaV1.Recipe(
                    title: "Soup", text: "Version \(day)", minutes: day * 30,
                    createdAt: Date(timeIntervalSinceReferenceDate: Double(day)))
                context.insert(recipe)
                recipe.ingredients.append(PantrySchemaV1.Ingredient(name: "Water", amount: Double(day)))
            }
            context.insert(PantrySchemaV1.Shop(title: "Corner"))
        }
        let context = ModelContext(try PantryStore.container(at: url))
        let recipes = try context.fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.createdAt)]))
        #expect(recipes.map(\.title) == ["Soup (3)", "Soup (2)", "Soup"])
        #expect(recipes.map(\.summary) == ["Version 1", "Version 2", "Version 3"])
        #expect(recipes.map(\.difficulty) == [.simple, .simple, .demanding])
        #expect(recipes.map(\.servings) == [2, 2, 2])
        #expect(recipes.map { $0.ingredients.first?.amount } == [1, 2, 3])
        #expect(try context.fetch(FetchDescriptor<Shop>()).map(\.name) == ["Corner"])
        recipes[0].title = "Broth"
        try context.save()
        let again = ModelContext(try PantryStore.container(at: url))
        #expect(
            try again.fetchCount(FetchDescriptor<Recipe>(predicate: #Predicate { $0.title == "Broth" })) == 1)
    }

    @Test func anEmptyStoreIsOpened() throws {
        try first { _ in }
        let context = ModelContext(try PantryStore.container(at: url))
        #expect(try context.fetchCount(FetchDescriptor<Recipe>()) == 0)
        context.insert(PlannedMeal(day: .now, time: .lunch, recipe: Recipe(title: "Soup")))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<PlannedMeal>()).first?.mealTime == .lunch)
    }
}
