import Foundation
import SwiftData

extension PantrySchemaV2 {
    @Model
    final class ShoppingList {
        var title: String
        var createdAt: Date
        var shop: Shop?
        @Relationship(deleteRule: .cascade, inverse: \ShoppingItem.list)
        var items: [ShoppingItem] = []

        init(title: String, createdAt: Date = Date()) {
            self.title = title
            self.createdAt = createdAt
        }

        var open: [ShoppingItem] { items.filter { !$0.isDone } }
    }

    @Model
    final class ShoppingItem {
        var text: String
        var isDone: Bool
        var list: ShoppingList?
        var product: Product?

        init(_ text: String, product: Product? = nil) {
            self.text = text
            self.isDone = false
            self.product = product
        }
    }

    @Model
    final class Shop {
        @Attribute(originalName: "title") var name: String
        var place: Coordinate?
        var hours: [OpeningHours] = []
        var website: URL?
        @Relationship(deleteRule: .nullify, inverse: \ShoppingList.shop)
        var lists: [ShoppingList] = []

        init(name: String, place: Coordinate? = nil, hours: [OpeningHours] = []) {
            self.name = name
            self.place = place
            self.hours = hours
        }
    }

    @Model
    final class PlannedMeal {
        #Unique<PlannedMeal>([\.day, \.time])

        var day: Date
        var time: String
        var guests: Int = 0
        var recipe: Recipe?

        var mealTime: MealTime {
            get { MealTime(rawValue: time) ?? .dinner }
            set { time = newValue.rawValue }
        }

        init(day: Date, time: MealTime, recipe: Recipe) {
            self.day = day
            self.time = time.rawValue
            self.recipe = recipe
        }
    }
}
