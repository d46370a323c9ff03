// The class of the entity Product. The model says "Category/Extension" for it: the class is ours, its properties are
// added by the plugin. All other classes, `Hammer` among them, which inherits from this one, are the plugin's.

import CoreData

/// Something that is sold.
class Product: NSManagedObject {
    /// The constant defaults are in the model. Values that depend on the day and on the other products are
    /// set here, once in the life of a product, before anybody else sees it.
    override func awakeFromInsert() {
        super.awakeFromInsert()
        addedOn = Date()
        itemNumber = proposedItemNumber
    }

    /// Two letters for the kind of product and the next number: "HA-0007" after "PR-0006".
    private var proposedItemNumber: String {
        let letters = (entity.name ?? "").prefix(2).uppercased()
        let numbers = managedObjectContext.map(Self.itemNumbers) ?? []
        let highest = numbers.compactMap { Int($0.suffix(4)) }.max() ?? 0
        return letters + "-" + String(String(10_001 + highest).suffix(4))
    }

    /// Those of saved products, without reading whole objects, and of new ones. A store that can't be read says so when
    /// the product is saved.
    private static func itemNumbers(in context: NSManagedObjectContext) -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Product")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["itemNumber"]
        let saved = (try? context.fetch(request))?.compactMap { $0["itemNumber"] as? String } ?? []
        return saved + context.insertedObjects.compactMap { ($0 as? Product)?.itemNumber }
    }

    /// The average stars of the reviews; nil without reviews.
    var averageStars: Double? { value(forKeyPath: "reviews.@avg.stars") as? Double }
}
