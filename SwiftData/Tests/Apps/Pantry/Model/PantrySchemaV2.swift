import Foundation
import SwiftData

/// Products, households and meal plans came with the second release.
enum PantrySchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)

    static var models: [any PersistentModel.Type] {
        [
            Household.self, Member.self,
            Recipe.self, RecipeStep.self, Ingredient.self, Tag.self,
            Product.self, FreshProduct.self, PackagedProduct.self,
            PantryItem.self, StorageLocation.self,
            ShoppingList.self, ShoppingItem.self, Shop.self,
            PlannedMeal.self,
        ]
    }
}

typealias Household = PantrySchemaV2.Household
typealias Member = PantrySchemaV2.Member
typealias Recipe = PantrySchemaV2.Recipe
typealias RecipeStep = PantrySchemaV2.RecipeStep
typealias Ingredient = PantrySchemaV2.Ingredient
typealias Tag = PantrySchemaV2.Tag
typealias Product = PantrySchemaV2.Product
typealias FreshProduct = PantrySchemaV2.FreshProduct
typealias PackagedProduct = PantrySchemaV2.PackagedProduct
typealias PantryItem = PantrySchemaV2.PantryItem
typealias StorageLocation = PantrySchemaV2.StorageLocation
typealias ShoppingList = PantrySchemaV2.ShoppingList
typealias ShoppingItem = PantrySchemaV2.ShoppingItem
typealias Shop = PantrySchemaV2.Shop
typealias PlannedMeal = PantrySchemaV2.PlannedMeal
