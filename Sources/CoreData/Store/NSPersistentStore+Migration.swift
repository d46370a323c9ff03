// The migration of a store's contents.

extension NSPersistentStore {
    static var usualMigrationManager: AnyClass { NSMigrationManager.self }
}
