// A walk through a catalogue: swift run Catalogue [--studio] [FILE]
//
// FILE is where the store is made, anew each time; a temporary file unless given. With --studio its objects can be seen
// and changed in the browser afterwards.

import CoreData

func heading(_ text: String) { print("\n\(text)") }

func list(_ names: [String]) { print("  " + (names.isEmpty ? "none" : names.joined(separator: ", "))) }

/// Tries to save, and says why it can't be.
func trySaving(_ context: NSManagedObjectContext) {
    do {
        try context.save()
        print("  saved")
    } catch {
        for sentence in sentences(error) { print("  \(sentence)") }
    }
}

let file =
    CommandLine.arguments.dropFirst().first { $0 != "--studio" }.map { URL(fileURLWithPath: $0) }
    ?? FileManager.default.temporaryDirectory.appendingPathComponent("Catalogue.sqlite")
for ending in ["", "-wal", "-shm"] {
    try? FileManager.default.removeItem(atPath: file.path + ending)  // there may be none
}

// 1. Fill the store.
let shop = try Shop(file: file)
let context = shop.container.viewContext
try Shop.fill(context)
print("Made \(file.path)")
for product in try context.fetch(Product.fetchRequest()).sorted(by: { $0.itemNumber < $1.itemNumber }) {
    print("  \(product.itemNumber)  \(product.name), \(product.price)")
    for other in product.relatedProducts.map(\.name).sorted() { print("           goes with \(other)") }
}

// 2. Ask with the predicates that stand in the model: fetched properties of a product …
if let glue = try Shop.product("Glue", in: context) {
    heading("For less than 1")
    list((glue.cheapProducts ?? []).map(\.name).sorted())
    heading("Cheaper than glue")
    list((glue.cheaperProducts ?? []).map(\.name).sorted())
    heading("Cheaper than products are on average")
    list((glue.productsBelowAverage ?? []).map(\.name).sorted())
}

// … and templates of fetch requests, which are functions of the class, their variables parameters.
heading("Made in China by A or B")
list(try Shop.names(Product.madeInChinaByAOrB(), in: context))
heading("Hammers of 1.2 kg")
list(try Shop.names(Hammer.getHammersByWeight(weight: 1.2), in: context))

// 3. See what the rules of the model and of `Product` refuse.
heading("A product that can't be saved")
let product = Product(context: context)
(product.name, product.price, product.quantity) = ("A shoddy spanner", 0, -1)
product.itemNumber = "spanner"
trySaving(context)
product.name = "Spanner"
(product.price, product.quantity, product.itemNumber) = (7, 1, "PR-0100")
heading("Without a country")
trySaving(context)
if let glue = try Shop.product("Glue", in: context) { product.countries = glue.countries }
heading("Made in China")
trySaving(context)

// 4. Delete: a manufacturer with products is denied, a product takes its reviews along.
if let maker = try Shop.product("Nail", in: context)?.manufacturer {
    heading("Without \(maker.name)")
    context.delete(maker)
    trySaving(context)
    context.rollback()
}
if let hammer = try Shop.product("Heavy hammer", in: context) {
    heading("Without the heavy hammer, of \(hammer.averageStars ?? 0) stars")
    context.delete(hammer)
    trySaving(context)
}
print("  reviews: \(try context.count(for: Review.fetchRequest()))")
print("  log entries: \(try context.count(for: LogEntry.fetchRequest()))")

if CommandLine.arguments.contains("--studio") { try await administer(shop.container) }
