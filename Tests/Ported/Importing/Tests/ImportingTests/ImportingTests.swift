import CoreData
import XCTest

@testable import Importing

final class ImportingTests: XCTestCase {
    private var container: NSPersistentContainer!
    private var context: NSManagedObjectContext { container.viewContext }

    private static let model = NSManagedObjectModel.mergedModel(from: [Bundle(for: Product.self)])!

    override func setUp() {
        super.setUp()
        ColourTransformer.register()
        container = NSPersistentContainer(name: "Shop", managedObjectModel: Self.model)
        container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { XCTAssertNil($1) }
    }

    func testRows() throws {
        let importer = Importer(container)
        let first = Data(#"[{"sku": 1, "name": "Nail"}, {"sku": 9007199254740993, "name": "Bolt"}]"#.utf8)
        XCTAssertEqual(try importer.insertRows(first).count, 2)
        _ = try importer.insertRows(Data(#"[{"sku": 1, "name": "Long nail"}]"#.utf8))
        let request = NSFetchRequest<Product>(entityName: "Product")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Product.sku, ascending: true)]
        let products = try context.fetch(request)
        XCTAssertEqual(products.map { $0.name }, ["Long nail", "Bolt"])
        XCTAssertEqual(products.map { $0.sku }, [1, 9_007_199_254_740_993])
        XCTAssertThrowsError(try importer.insertRows(Data("{}".utf8))) {
            XCTAssertEqual($0 as? Importer.Problem, .notAList)
        }
    }

    func testObjects() throws {
        let json = Data(#"[{"sku": 3, "name": "Paint", "price": 19.99, "colour": 0.5, "extra": null}]"#.utf8)
        let product = try Importer(container).insertObjects(json, in: context)[0]
        product.extra = ["shelf": [1, 2]] as NSDictionary
        try context.save()
        context.reset()
        let read = try XCTUnwrap(try context.fetch(NSFetchRequest<Product>(entityName: "Product")).first)
        XCTAssertEqual(read.price, NSDecimalNumber(string: "19.99"))
        XCTAssertEqual(read.colour?.red, 0.5)
        XCTAssertEqual(read.extra as? NSDictionary, ["shelf": [1, 2]])
    }

    func testWhatIsWrongIsSaidTogether() throws {
        let json = Data(#"[{"sku": 3, "name": "P"}, {"sku": 4}]"#.utf8)
        XCTAssertThrowsError(try Importer(container).insertObjects(json, in: context)) { error in
            XCTAssertEqual(error as? Importer.Problem, .invalid(["1570: name", "1670: name"]))
        }
        let product = Product(context: context)
        XCTAssertThrowsError(try product.validateForInsert()) { error in
            XCTAssertNotNil((error as NSError).localizedFailureReason)
        }
    }

    /// A relationship that is declared narrower than the model has what fits.
    func testNarrowDeclarations() throws {
        let product = Product(context: context)
        product.name = "Glue"
        let company = Company(context: context)
        product.supplier = company
        XCTAssertEqual(product.supplier, company)
        XCTAssertEqual(company.products, [product])
        product.setValue(Person(context: context), forKey: "supplier")
        XCTAssertNil(product.supplier)
    }

    func testCountingBatches() throws {
        let rows = (1...500).map { ["sku": $0, "name": "Item \($0)"] as [String: Any] }
        let request = NSBatchInsertRequest(entityName: "Product", objects: rows)
        request.resultType = .count
        let result = try context.execute(request) as? NSBatchInsertResult
        XCTAssertEqual(result?.result as? Int, 500)
        let update = NSBatchUpdateRequest(entityName: "Product")
        update.predicate = NSPredicate(format: "sku > %@", NSNumber(value: 400))
        update.propertiesToUpdate = ["price": NSDecimalNumber(string: "0.1")]
        update.resultType = .updatedObjectsCountResultType
        XCTAssertEqual((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int, 100)
        let delete = NSBatchDeleteRequest(
            fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Product"))
        delete.resultType = .resultTypeCount
        XCTAssertEqual((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int, 500)
    }
}
