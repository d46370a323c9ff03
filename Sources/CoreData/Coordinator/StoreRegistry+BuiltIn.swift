// The types of stores that are there without being registered.

extension StoreRegistry {
    static func builtIn(_ type: String) -> NSPersistentStore.Type? {
        switch type {
        case NSSQLiteStoreType: SQLiteStore.self
        case NSInMemoryStoreType: InMemoryStore.self
        case NSXMLStoreType: XMLStore.self
        case NSBinaryStoreType: BinaryStore.self
        default: nil
        }
    }

    static let builtInTypes = [
        NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType,
    ]
}
