import Foundation
import SwiftData

extension FetchDescriptor<Recipe> {
    /// Recipes whose title or summary has a text.
    static func search(_ text: String, maximum: Int? = nil) -> FetchDescriptor<Recipe> {
        var descriptor = FetchDescriptor<Recipe>(
            predicate: #Predicate { recipe in
                text.isEmpty || recipe.title.localizedStandardContains(text)
                    || recipe.summary.localizedStandardContains(text)
            },
            sortBy: [SortDescriptor(\.title)])
        descriptor.fetchLimit = maximum
        return descriptor
    }

    static func quick(_ minutes: Int, for guests: Int) -> FetchDescriptor<Recipe> {
        FetchDescriptor(
            predicate: #Predicate<Recipe> { $0.minutes <= minutes && $0.servings >= guests },
            sortBy: [SortDescriptor(\.minutes), SortDescriptor(\.title, order: .reverse)])
    }

    static func tagged(_ name: String) -> FetchDescriptor<Recipe> {
        FetchDescriptor(
            predicate: #Predicate { $0.tags.contains { $0.name == name } }, sortBy: [SortDescriptor(\.title)])
    }

    static func using(_ product: Product) -> FetchDescriptor<Recipe> {
        let id = product.persistentModelID
        return FetchDescriptor(
            predicate: #Predicate { recipe in
                recipe.ingredients.contains { $0.product?.persistentModelID == id }
            },
            sortBy: [SortDescriptor(\.title)])
    }

    /// Rated at least so well, the best first.
    static func rated(_ rating: Double) -> FetchDescriptor<Recipe> {
        FetchDescriptor(
            predicate: #Predicate { recipe in
                if let own = recipe.rating { own >= rating } else { false }
            },
            sortBy: [SortDescriptor(\.rating, order: .reverse), SortDescriptor(\.title)])
    }
}

extension PantryItem {
    static func expiring(before date: Date) -> Predicate<PantryItem> {
        let never = Date.distantFuture
        return #Predicate { ($0.expiresAt ?? never) < date && $0.amount > 0 }
    }

    static func lying(in place: String) -> Predicate<PantryItem> {
        #Predicate { $0.location?.name == place || $0.location?.parent?.name == place }
    }
}

extension ShoppingList {
    static let unfinished = #Predicate<ShoppingList> { list in
        list.items.filter { !$0.isDone }.count > 0
    }
}
