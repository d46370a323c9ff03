// Archives of contexts.

import Foundation

extension NSManagedObjectContext {
    private enum ArchiveKey {
        static let type = "CoreData.concurrencyType"
        static let name = "CoreData.name"
        static let author = "CoreData.transactionAuthor"
        static let propagates = "CoreData.propagatesDeletesAtEndOfEvent"
        static let retains = "CoreData.retainsRegisteredObjects"
    }

    final func archiveSettings(in coder: NSCoder) {
        coder.encode(Int64(clamping: confinement.type.rawValue), forKey: ArchiveKey.type)
        coder.encode(name as NSString?, forKey: ArchiveKey.name)
        coder.encode(transactionAuthor as NSString?, forKey: ArchiveKey.author)
        coder.encode(propagatesDeletesAtEndOfEvent, forKey: ArchiveKey.propagates)
        coder.encode(retainsRegisteredObjects, forKey: ArchiveKey.retains)
    }

    final func takeSettings(from coder: NSCoder) {
        name = coder.decodeObject(of: NSString.self, forKey: ArchiveKey.name) as String?
        transactionAuthor = coder.decodeObject(of: NSString.self, forKey: ArchiveKey.author) as String?
        propagatesDeletesAtEndOfEvent = coder.decodeBool(forKey: ArchiveKey.propagates)
        retainsRegisteredObjects = coder.decodeBool(forKey: ArchiveKey.retains)
    }

    static func archivedType(in coder: NSCoder) -> NSManagedObjectContextConcurrencyType? {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: ArchiveKey.type) else { return nil }
        return UInt(exactly: coder.decodeInt64(forKey: ArchiveKey.type))
            .flatMap(NSManagedObjectContextConcurrencyType.init)
    }
}
