// The common start of every test.

import CoreData
import Testing

@testable import Catalogue

/// Runs the body on the queue of a new context on a filled store, whose file it gets as well.
func withCatalogue(_ body: (NSManagedObjectContext, URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "Catalogue-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Catalogue.sqlite")
    let context = try Shop(file: file).container.newBackgroundContext()
    try context.performAndWait {
        try Shop.fill(context)
        try body(context, file)
    }
}

func product(_ name: String, _ context: NSManagedObjectContext) throws -> Product {
    try #require(try Shop.product(name, in: context))
}

func names(_ products: [Product]?) -> [String]? { products?.map(\.name).sorted() }

func count(_ table: String, _ file: URL) throws -> String? {
    try rows("SELECT COUNT(*) FROM \(table)", in: file).first?.first ?? nil
}
