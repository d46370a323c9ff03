import Foundation
import SwiftData

extension PantrySchemaV2 {
    @Model
    class Product {
        var name: String
        var barcode: String?
        var price: Decimal?
        @Relationship(deleteRule: .deny, inverse: \PantryItem.product)
        var stock: [PantryItem] = []
        @Relationship(deleteRule: .nullify, inverse: \Ingredient.product)
        var uses: [Ingredient] = []

        init(name: String, barcode: String? = nil, price: Decimal? = nil) {
            self.name = name
            self.barcode = barcode
            self.price = price
        }
    }

    @available(iOS 26, macOS 26, *)
    @Model
    final class FreshProduct: Product {
        var shelfLife: Int
        var season: ClosedRange<Int>?

        init(name: String, shelfLife: Int, season: ClosedRange<Int>? = nil) {
            self.shelfLife = shelfLife
            self.season = season
            super.init(name: name)
        }
    }

    @available(iOS 26, macOS 26, *)
    @Model
    final class PackagedProduct: Product {
        var brand: String
        var contents: Quantity

        init(name: String, barcode: String, brand: String, contents: Quantity) {
            self.brand = brand
            self.contents = contents
            super.init(name: name, barcode: barcode)
        }
    }

    @Model
    final class PantryItem {
        var amount: Double
        var expiresAt: Date?
        var product: Product?
        var location: StorageLocation?

        init(product: Product, amount: Double, expiresAt: Date? = nil) {
            self.amount = amount
            self.expiresAt = expiresAt
            self.product = product
        }
    }

    @Model
    final class StorageLocation {
        var name: String
        var kind: LocationKind = LocationKind.shelf
        var parent: StorageLocation?
        @Relationship(deleteRule: .cascade, inverse: \StorageLocation.parent)
        var children: [StorageLocation] = []
        @Relationship(deleteRule: .cascade, inverse: \PantryItem.location)
        var items: [PantryItem] = []

        init(name: String, kind: LocationKind = .shelf, parent: StorageLocation? = nil) {
            self.name = name
            self.kind = kind
            self.parent = parent
        }

        var path: String {
            guard let parent else { return name }
            return parent.path + "/" + name
        }
    }
}
