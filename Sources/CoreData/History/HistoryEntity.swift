// The entities that fetch requests on the history name.

import CoreDataStores
import CoreDataSupport
import Foundation

/// Transactions and changes as entities: what predicates can name.
final class HistoryEntity: Sendable {
    static let transaction = HistoryEntity(
        "Transaction",
        attributes: [
            ("author", .stringAttributeType), ("bundleID", .stringAttributeType),
            ("contextName", .stringAttributeType), ("processID", .stringAttributeType),
            ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
            ("token", .integer64AttributeType), ("transactionNumber", .integer64AttributeType),
        ])
    static let change = HistoryEntity(
        "Change",
        attributes: [
            ("changeID", .integer64AttributeType), ("changedID", .integer64AttributeType),
            ("changedEntity", .integer64AttributeType), ("changeType", .integer16AttributeType),
            ("changedObjectID", .objectIDAttributeType),
        ])

    // Unsafe only in name: never changed after `init`, as the description is read only by its clients.
    nonisolated(unsafe) let description: NSEntityDescription
    let name: String
    let keys: Set<String>

    private init(_ name: String, attributes: [(name: String, type: NSAttributeType)]) {
        self.name = name
        keys = Set(attributes.map(\.name))
        description = NSEntityDescription()
        description.name = name
        description.properties = attributes.map { attribute in
            let property = NSAttributeDescription()
            property.name = attribute.name
            property.attributeType = attribute.type
            return property
        }
    }

    var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = description
        return request
    }

    /// The entity that a request fetches; throws for a request on anything else.
    static func of(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> HistoryEntity {
        switch request.fields.entityName {
        case transaction.name: return transaction
        case change.name: return change
        case let other:
            throw CoreDataError.make(
                NSCoreDataError, description: "The history can't be fetched with this request.",
                userInfo: [
                    CoreDataError.Key.reason:
                        "It is for \(other ?? "no entity"), not for history's transactions or changes."
                ])
        }
    }
}
