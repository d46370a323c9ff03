// Archives of contexts, and what contexts have on Apple's systems only.

public import Foundation

extension NSManagedObjectContext: NSCoding {
    private enum ArchiveKey {
        static let type = "CoreData.concurrencyType"
        static let name = "CoreData.name"
        static let author = "CoreData.transactionAuthor"
        static let propagates = "CoreData.propagatesDeletesAtEndOfEvent"
        static let retains = "CoreData.retainsRegisteredObjects"
    }

    /// Archives the context's settings: neither its objects nor its coordinator, which the client sets anew.
    public func encode(with coder: NSCoder) {
        coder.encode(Int64(clamping: concurrencyType.rawValue), forKey: ArchiveKey.type)
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

    @available(
        *, unavailable,
        message: "Key-value observing needs the Objective-C runtime: see observe(_:options:changeHandler:)."
    )
    public func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [String: Any]?,
        context: UnsafeMutableRawPointer?
    ) {}
}
