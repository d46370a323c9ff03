import Foundation
import SwiftData

/// The first release: recipes with their ingredients, and a list of shops.
enum PantrySchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)

    static var models: [any PersistentModel.Type] {
        [Recipe.self, Ingredient.self, Shop.self]
    }

    @Model
    final class Recipe {
        var title: String
        var text: String
        var minutes: Int
        var createdAt: Date
        @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
        var ingredients: [Ingredient]

        init(title: String, text: String = "", minutes: Int = 0, createdAt: Date = .now) {
            self.title = title
            self.text = text
            self.minutes = minutes
            self.createdAt = createdAt
            self.ingredients = []
        }
    }

    @Model
    final class Ingredient {
        var name: String
        var amount: Double
        var recipe: Recipe?

        init(name: String, amount: Double) {
            self.name = name
            self.amount = amount
        }
    }

    @Model
    final class Shop {
        var title: String

        init(title: String) {
            self.title = title
        }
    }
}
