// The store, and the products that it starts with.

import CoreData

/// A catalogue in an SQLite file.
struct Shop {
    let container: NSPersistentContainer

    /// Opens the store in the file, or makes one. The container finds the compiled model in the package's bundle.
    init(file: URL) throws {
        container = NSPersistentContainer(name: "Catalogue")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Inserts and saves six products of two manufacturers. Prices: 0.50, 0.75, 2, 4, 12 and 16.75, on average 6.
    static func fill(_ context: NSManagedObjectContext) throws {
        let china = Country(context: context)
        china.name = "China"
        let portugal = Country(context: context)
        portugal.name = "Portugal"
        let first = Manufacturer(context: context)
        first.name = "Manufacturer A"
        let second = Manufacturer(context: context)
        (second.name, second.rating) = ("Manufacturer B", 5)

        func fill(
            _ product: Product, _ name: String, _ price: Decimal, _ maker: Manufacturer?,
            _ countries: Set<Country>
        ) -> Product {
            (product.name, product.price, product.manufacturer) = (name, price, maker)
            (product.countries, product.quantity) = (countries, 10)
            return product
        }
        let nail = fill(Product(context: context), "Nail", 0.5, first, [china])
        let screw = fill(Product(context: context), "Screw", 0.75, second, [china, portugal])
        _ = fill(Product(context: context), "Glue", 2, nil, [china])
        let tape = fill(Product(context: context), "Tape", 4, second, [portugal])
        let light = Hammer(context: context)
        light.weight = 0.3
        let heavy = Hammer(context: context)
        heavy.weight = 1.2
        // One side is enough: a product that is related to another has that other related to it.
        fill(light, "Light hammer", 12, first, [portugal]).relatedProducts = [nail]
        fill(heavy, "Heavy hammer", 16.75, second, [china]).relatedProducts = [nail, light]
        screw.addToRelatedProducts(tape)
        for stars: Int16 in [4, 5] {
            let review = Review(context: context)
            (review.stars, review.product) = (stars, heavy)
        }
        let entry = LogEntry(context: context)
        (entry.date, entry.text, entry.product) = (heavy.addedOn, "New in the catalogue", heavy)
        try context.save()
    }

    /// The product of that name.
    static func product(_ name: String, in context: NSManagedObjectContext) throws -> Product? {
        let request = Product.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    /// Returns the names of the products that a request finds.
    static func names<Item: Product>(_ request: NSFetchRequest<Item>, in context: NSManagedObjectContext)
        throws -> [String]
    {
        try context.fetch(request).map(\.name).sorted()
    }
}
