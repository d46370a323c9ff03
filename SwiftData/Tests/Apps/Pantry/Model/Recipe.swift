import Foundation
import SwiftData

extension PantrySchemaV2 {
    @Model
    final class Recipe {
        #Unique<Recipe>([\.title])
        #Index<Recipe>([\.createdAt], [\.minutes, \.servings])

        @Attribute(.preserveValueOnDeletion) var title: String
        @Attribute(originalName: "text") var summary: String
        var minutes: Int
        var servings: Int = 2
        var createdAt: Date
        var rating: Double?
        var isFavourite: Bool = false
        var difficulty: Difficulty = Difficulty.simple
        var origin: Origin?
        var nutrition: Nutrition?
        var suitable: Set<Diet> = []
        var cost: Decimal = 0
        @Attribute(.externalStorage) var photo: Data?

        @Relationship(deleteRule: .cascade, inverse: \RecipeStep.recipe)
        var steps: [RecipeStep] = []
        @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
        var ingredients: [Ingredient] = []
        @Relationship(inverse: \Tag.recipes)
        var tags: [Tag] = []
        @Relationship(inverse: \Member.favourites)
        var admirers: [Member] = []

        init(title: String, summary: String = "", minutes: Int = 0, createdAt: Date = .now) {
            self.title = title
            self.summary = summary
            self.minutes = minutes
            self.createdAt = createdAt
        }

        var orderedSteps: [RecipeStep] {
            steps.sorted { $0.position < $1.position }
        }

        func addStep(_ text: String, timer: TimeInterval? = nil) {
            steps.append(RecipeStep(position: steps.count, text: text, timer: timer))
        }
    }

    @Model
    final class RecipeStep {
        var position: Int
        var text: String
        var timer: TimeInterval?
        var recipe: Recipe?

        init(position: Int, text: String, timer: TimeInterval? = nil) {
            self.position = position
            self.text = text
            self.timer = timer
        }
    }

    @Model
    final class Ingredient {
        var name: String
        var amount: Double
        var quantity: Quantity?
        var recipe: Recipe?
        var product: Product?

        init(name: String, amount: Double = 1, quantity: Quantity? = nil, product: Product? = nil) {
            self.name = name
            self.amount = amount
            self.quantity = quantity
            self.product = product
        }
    }

    @Model
    final class Tag {
        @Attribute(.unique) var name: String
        @Attribute(.transformable(by: SwatchTransformer.self)) var swatch: Swatch?
        var recipes: [Recipe] = []

        init(name: String, swatch: Swatch? = nil) {
            self.name = name
            self.swatch = swatch
        }
    }
}
