// The classes that make the stores of each type.

import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// Store classes by type: the built-in ones and those that clients registered.
enum StoreRegistry {
    private static let registered = Mutex<[String: NSPersistentStore.Type]>([:])

    /// The class for a type. A client's class comes before a built-in one.
    static func storeClass(_ type: String) throws -> NSPersistentStore.Type {
        if let found = registered.withLock({ $0[type] }) ?? builtIn(type) { return found }
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, description: "There is no store of type \"\(type)\".",
            userInfo: [
                NSStoreTypeKey: type, CoreDataError.Key.reason: "No store class is registered for the type.",
            ])
    }

    static func register(_ storeClass: NSPersistentStore.Type?, type: String) {
        registered.withLock { $0[type] = storeClass }
    }

    /// All types that stores can be made of now.
    static var classes: [String: NSPersistentStore.Type] {
        var all = registered.withLock { $0 }
        for type in builtInTypes where all[type] == nil { all[type] = builtIn(type) }
        return all
    }

    /// The type of the file at a URL, told by its first bytes; `nil` if no class knows it.
    static func type(ofFileAt url: URL) -> String? {
        guard let start = try? StoreFile.start(url) else { return nil }
        let classes = classes
        let types = builtInTypes + classes.keys.filter { !builtInTypes.contains($0) }.sorted()
        return types.first { classes[$0]?.recognizes(start) == true }
    }

    /// The kind of the file at a URL; `nil` if no class knows it.
    static func kind(ofFileAt url: URL) -> (any StoreFiles.Type)? {
        type(ofFileAt: url).flatMap { classes[$0]?.files }
    }

    /// The kinds of files that stores are, each once.
    static var kindsOfFiles: [any StoreFiles.Type] {
        var seen: Set<ObjectIdentifier> = []
        return classes.sorted { $0.key < $1.key }.compactMap(\.value.files).filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }
}

extension NSPersistentStoreCoordinator {
    static var classesByType: [String: NSValue] {
        StoreRegistry.classes.mapValues { storeClass in
            // Foundation here makes no values of the type of a class; the class's address is what there is.
            var address = UInt64(UInt(bitPattern: unsafeBitCast(storeClass, to: UnsafeRawPointer.self)))
            return NSValue(bytes: &address, objCType: "Q")
        }
    }

    static func register(_ storeClass: AnyClass?, type storeType: String) {
        guard let storeClass else { return StoreRegistry.register(nil, type: storeType) }
        guard let storeClass = storeClass as? NSPersistentStore.Type else {
            raise(.invalidArgument, "\(storeClass) isn't a subclass of NSPersistentStore")
        }
        StoreRegistry.register(storeClass, type: storeType)
    }

    /// Makes a class responsible for stores of a type; `nil` takes the type back.
    ///
    /// - Parameters:
    ///   - storeClass: a subclass of `NSAtomicStore` or `NSIncrementalStore`, or nil.
    ///   - type: the type.
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }
}
