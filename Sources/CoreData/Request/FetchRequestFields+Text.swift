// A fetch request in words, for logs.

import Foundation

extension FetchRequestFields {
    /// `entity: Hero; predicate: name == "Ann"; sortDescriptors: ((name, ascending, compare:)); type: NSManagedObjectResultType`.
    var text: String {
        var parts = ["entity: \(entityName ?? "none")"]
        if let predicate { parts.append("predicate: \(predicate.description)") }
        if let sortDescriptors, !sortDescriptors.isEmpty {
            parts.append("sortDescriptors: (\(sortDescriptors.map(\.description).joined(separator: ", ")))")
        }
        if fetchLimit > 0 { parts.append("limit: \(fetchLimit)") }
        if fetchOffset > 0 { parts.append("offset: \(fetchOffset)") }
        if fetchBatchSize > 0 { parts.append("batch size: \(fetchBatchSize)") }
        parts.append("type: \(typeName)")
        return parts.joined(separator: "; ")
    }

    private var typeName: String {
        switch resultType {
        case .managedObjectIDResultType: "NSManagedObjectIDResultType"
        case .dictionaryResultType: "NSDictionaryResultType"
        case .countResultType: "NSCountResultType"
        default: "NSManagedObjectResultType"
        }
    }
}

extension NSObject {
    /// The object's place in memory, as descriptions tell it.
    final var placeInMemory: String {
        "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
    }
}
