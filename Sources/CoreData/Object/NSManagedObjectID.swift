// Object identity across contexts.

import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// A compact identity of a managed object that may be passed between contexts and threads.
///
/// Two IDs are equal when they mean the same row of the same store. A temporary ID belongs to an object that was
/// never saved.
///
/// Unchecked because every field is set once, at creation. An ID is small: a million of them are common.
///
/// ```swift
/// let text = hero.objectID.uriRepresentation().absoluteString
/// print(text)  // x-coredata://…/Hero/p12
/// ```
open class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    /// Z_PK in the store; negative for a temporary ID.
    final let primaryKey: Int64
    final let origin: IDOrigin

    init(_ origin: IDOrigin, primaryKey: Int64) {
        self.origin = origin
        self.primaryKey = primaryKey
    }

    convenience init(_ runtime: EntityRuntime, primaryKey: Int64, store: NSPersistentStore?) {
        let known = primaryKey > 0 ? store : nil
        self.init(known?.origin(of: runtime) ?? IDOrigin(runtime.managed, store: nil), primaryKey: primaryKey)
    }

    final var runtime: ManagedEntity { origin.runtime }
    /// `NSStoreUUID`, which the URI carries.
    final var storeIdentifier: String { origin.storeIdentifier }
    /// The name of the object in a custom store (`NSIncrementalStore`, `NSAtomicStore`).
    final var reference: Any? { isTemporaryID ? nil : origin.store?.reference(primaryKey, entity: runtime) }

    /// The entity of the object.
    open var entity: NSEntityDescription { runtime.description }

    /// The store that holds the object, `nil` for a temporary ID or once the store is gone.
    open var persistentStore: NSPersistentStore? { origin.store }

    /// Indicates that the object was never saved.
    open var isTemporaryID: Bool { primaryKey < 0 }

    /// Returns an archivable URI: `x-coredata://STORE-UUID/Entity/p12`, or `x-coredata:///Entity/tUUID` while
    /// temporary.
    open func uriRepresentation() -> URL {
        let text =
            isTemporaryID
            ? "x-coredata:///\(runtime.name)/t\(TemporaryKeys.text(primaryKey))"
            : "x-coredata://\(storeIdentifier)/\(runtime.name)/p\(reference.map { "\($0)" } ?? "\(primaryKey)")"
        guard let url = URL(string: text) else {
            // Entity names are identifiers in sound models; others are escaped.
            let escaped = text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? text
            return URL(string: escaped) ?? URL(fileURLWithPath: escaped)
        }
        return url
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let object else { return false }
        if let other = sameType(as: self, object) { return other._withUnsafeGuaranteedRef(isSame) }
        return (object as? NSManagedObjectID).map(isSame) ?? false
    }

    private final func isSame(as other: NSManagedObjectID) -> Bool {
        if self === other { return true }
        guard primaryKey == other.primaryKey else { return false }
        return origin === other.origin
            || runtime.rootNumber == other.runtime.rootNumber && storeIdentifier == other.storeIdentifier
    }

    open override var hash: Int {
        // Sets hash this once more, so nothing better is needed; a save's notification hashes each of its IDs.
        Int(truncatingIfNeeded: primaryKey) &* 31 &+ runtime.rootNumber
    }

    open override var description: String {
        "<x-coredata ID \(uriRepresentation().absoluteString)>"
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The data that all IDs of one entity in one store share.
///
/// Unchecked because only the place changes, under its lock; the runtime is kept alive by its model's.
final class IDOrigin: @unchecked Sendable {
    private struct Place: Sendable {
        weak var store: NSPersistentStore?
        var identifier: String
    }

    /// Sound because `model` owns it; ObjectLifetimeTests watch IDs that outlive their stack.
    unowned(unsafe) let runtime: ManagedEntity
    private let model: ManagedModel
    private let place: Mutex<Place>

    var store: NSPersistentStore? { place.withLock { $0.store } }
    var storeIdentifier: String { place.withLock { $0.identifier } }

    init(_ runtime: ManagedEntity, store: NSPersistentStore?) {
        self.runtime = runtime
        model = runtime.model
        place = Mutex(Place(store: store, identifier: store?.identifier ?? ""))
    }

    /// From now on the IDs mean the rows with the same keys of another store.
    func move(to store: NSPersistentStore) {
        let identifier = store.identifier ?? ""
        place.withLock { $0 = Place(store: store, identifier: identifier) }
    }
}

/// Keys of objects that were never saved: negative and unique in the process.
enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)
    private static let prefix = UUID().uuidString

    static func next() -> Int64 {
        last.subtract(1, ordering: .relaxed).newValue
    }

    static func text(_ key: Int64) -> String { prefix + String(-key) }
}
