import CoreData
import Foundation
import OSLog

/// Puts records of JSON into a store.
public final class Importer {
    public enum Problem: Error, Equatable {
        case notAList
        case invalid([String])
    }

    private let container: NSPersistentContainer
    private let log = OSLog(subsystem: "org.example.importing", category: "import")

    public init(_ container: NSPersistentContainer) {
        self.container = container
    }

    private func records(_ json: Data) throws -> [[String: Any]] {
        guard let list = try JSONSerialization.jsonObject(with: json) as? [[String: Any]] else {
            throw Problem.notAList
        }
        return list
    }

    /// Inserts or updates rows without making objects, and gives their IDs.
    public func insertRows(_ json: Data) throws -> [NSManagedObjectID] {
        let list = try records(json)
        var next = 0
        let request = NSBatchInsertRequest(
            entity: Product.entity(),
            managedObjectHandler: { object in
                guard next < list.count else { return true }
                let product = object as! Product
                product.name = list[next]["name"] as? String ?? "Unnamed"
                product.sku = (list[next]["sku"] as? NSNumber)?.int64Value ?? 0
                next += 1
                return false
            })
        request.resultType = .objectIDs
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        return try context.performAndWait {
            let result = try context.execute(request) as? NSBatchInsertResult
            return result?.result as? [NSManagedObjectID] ?? []
        }
    }

    /// Makes objects, by the attributes of the entity, and reports every one that doesn't hold its rules.
    @discardableResult
    public func insertObjects(_ json: Data, in context: NSManagedObjectContext) throws -> [Product] {
        let entity = NSEntityDescription.entity(forEntityName: "Product", in: context)!
        var problems: [String] = []
        var products: [Product] = []
        for record in try records(json) {
            let product = Product(entity: entity, insertInto: context)
            for (key, attribute) in entity.attributesByName {
                guard let value = record[key], !(value is NSNull) else { continue }
                switch attribute.attributeType {
                case .decimalAttributeType:
                    product.setValue(NSDecimalNumber(string: "\(value)"), forKey: key)
                case .transformableAttributeType:
                    product.setValue(Colour(red: value as? Double ?? 0), forKey: key)
                default: product.setValue(value, forKey: key)
                }
            }
            do {
                try product.validateForInsert()
                products.append(product)
            } catch let error as NSError {
                let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
                problems += errors.map { "\($0.code): \($0.userInfo[NSValidationKeyErrorKey] ?? "?")" }
                os_log("refused: %{public}@", log: log, type: .error, error.localizedDescription)
                context.delete(product)
            }
        }
        if !problems.isEmpty { throw Problem.invalid(problems.sorted()) }
        return products
    }
}
