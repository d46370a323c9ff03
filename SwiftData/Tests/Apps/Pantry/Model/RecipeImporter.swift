import Foundation
import SwiftData

struct RecipeDraft: Codable, Sendable {
    var title: String
    var minutes: Int
    var ingredients: [String]
    var tags: [String] = []
}

/// Imports in the background.
@ModelActor
actor RecipeImporter {
    private var imported = 0

    /// Recipes that are there are updated.
    @discardableResult
    func importRecipes(_ drafts: [RecipeDraft]) throws -> [PersistentIdentifier] {
        var recipes: [Recipe] = []
        for draft in drafts {
            let recipe = try recipe(titled: draft.title)
            recipe.minutes = draft.minutes
            recipe.ingredients = draft.ingredients.map { Ingredient(name: $0) }
            recipe.tags = try draft.tags.map(tag)
            recipes.append(recipe)
        }
        try modelContext.save()
        imported += drafts.count
        return recipes.map(\.persistentModelID)
    }

    func count() -> Int { imported }

    func rename(_ id: PersistentIdentifier, to title: String) throws {
        guard let recipe = self[id, as: Recipe.self] else { return }
        recipe.title = title
        try modelContext.save()
    }

    private func recipe(titled title: String) throws -> Recipe {
        var descriptor = FetchDescriptor<Recipe>(predicate: #Predicate { $0.title == title })
        descriptor.fetchLimit = 1
        if let known = try modelContext.fetch(descriptor).first { return known }
        let recipe = Recipe(title: title)
        modelContext.insert(recipe)
        return recipe
    }

    private func tag(_ name: String) throws -> Tag {
        let descriptor = FetchDescriptor<Tag>(predicate: #Predicate { $0.name == name })
        if let known = try modelContext.fetch(descriptor).first { return known }
        let tag = Tag(name: name)
        modelContext.insert(tag)
        return tag
    }
}
