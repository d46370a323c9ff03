// Custom accessors that ask for their own key.

import Foundation

/// A custom getter or setter that runs on a thread. A class states under a key what its property gives, and the
/// property may well ask `value(forKey:)` for that key: then it gets the stored value.
struct AccessorCall {
    private let object: UnsafeRawPointer
    /// Sound because the call lies on the stack of who found it in its entity's cache, which lives as long as the entity;
    /// the address sanitizer watches in KeyRegistryTests (Scripts/test --long).
    private unowned(unsafe) let keyed: KeyedProperty
    private let writes: Bool
    private let outer: UnsafePointer<AccessorCall>?

    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var current: UnsafePointer<AccessorCall>? {
        get { UnsafePointer(pthread_getspecific(threadKey)?.assumingMemoryBound(to: AccessorCall.self)) }
        set { pthread_setspecific(threadKey, newValue) }
    }

    /// Runs an accessor of an object as long as it isn't running on this thread: then returns nil.
    static func run<Result>(
        _ keyed: KeyedProperty, of object: NSManagedObject, writes: Bool, accessor: () -> Result
    ) -> Result? {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        let isInner = object.state.traits.contains(.inAccessor)
        let before = current
        if isInner, isRunning(address, key: keyed.key, writes: writes, from: before) { return nil }
        let call = AccessorCall(object: address, keyed: keyed, writes: writes, outer: before)
        return withUnsafePointer(to: call) { pointer in
            current = pointer
            object.state.insert(.inAccessor)
            defer {
                current = before
                if !isInner { object.state.remove(.inAccessor) }
            }
            return accessor()
        }
    }

    private static func isRunning(
        _ object: UnsafeRawPointer, key: String, writes: Bool, from first: UnsafePointer<AccessorCall>?
    ) -> Bool {
        var next = first
        while let call = next?.pointee {
            if call.object == object, call.writes == writes, call.keyed.key == key { return true }
            next = call.outer
        }
        return false
    }
}
