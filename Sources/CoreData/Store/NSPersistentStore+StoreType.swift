// Store types as values of a type of their own.

import Foundation

extension NSPersistentStore {
    /// A type of stores.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        public typealias RawValue = String
        public let rawValue: String

        /// The type that a store class is registered under.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A store in a property list file, read and written whole.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// A store that lives as long as its coordinator.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// A store in an SQLite file.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A store in an XML file, read and written whole.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }
}
