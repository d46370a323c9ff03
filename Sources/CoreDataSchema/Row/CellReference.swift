// The word of a string, a blob or any other value that doesn't fit eight bytes.

package import CoreDataSupport
import Synchronization

/// Either a place in the slab's arena or a box.
///
///     bit 63 = 0   bits 32–62 offset into the arena, bits 0–31 length in bytes
///     bit 63 = 1   bits 0–62 address of a retained `CellBox`
package struct CellReference {
    package let word: UInt64

    @inlinable
    package init(word: UInt64) {
        self.word = word
    }

    package init(offset: Int, length: Int) {
        word = UInt64(offset) << 32 | UInt64(length)
    }

    /// Takes over one retain of the box.
    package init(retaining box: CellBox) {
        word = UInt64(UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())) | 1 << 63
    }

    package var isBox: Bool { word >> 63 != 0 }
    package var offset: Int { Int(word >> 32) }
    package var length: Int { Int(word & 0xFFFF_FFFF) }

    /// The box, still owned by the row. Only if `isBox`.
    package var box: CellBox {
        unmanaged.takeUnretainedValue()
    }

    package func retain() {
        if isBox { _ = unmanaged.retain() }
    }

    package func release() {
        if isBox { unmanaged.release() }
    }

    private var unmanaged: Unmanaged<CellBox> {
        let address = UnsafeRawPointer(bitPattern: UInt(word & ~(1 << 63)))
        return Unmanaged.fromOpaque(address!)  // isBox: made from a live object by `init(retaining:)`
    }
}

/// A value that a row owns by reference.
///
/// Unchecked because boxes are immutable and rows belong to one context, or to a slab that nobody changes; a
/// value that is loaded late is guarded by its lock.
package final class CellBox: @unchecked Sendable {
    private let stored: Value
    private let late: LateValue?
    /// A client's object in a transformable or transient attribute, as it was given.
    package let object: Any?

    package init(_ value: Value) {
        stored = value
        late = nil
        object = nil
    }

    /// An object with the bytes that stand for it in a store, once they are known.
    package init(object: Any, bytes: Value = .null) {
        stored = bytes
        late = nil
        self.object = object
    }

    /// A value that is loaded when it is first asked for, and then kept.
    package init(loading load: @escaping @Sendable () -> Value) {
        stored = .null
        late = LateValue(load)
        object = nil
    }

    package var value: Value { late?.value ?? stored }
}

/// A value that is loaded once.
private final class LateValue: Sendable {
    private let load: @Sendable () -> Value
    private let loaded = Mutex<Value?>(nil)

    init(_ load: @escaping @Sendable () -> Value) {
        self.load = load
    }

    var value: Value {
        loaded.withLock { loaded in
            if let loaded { return loaded }
            let value = load()
            loaded = value
            return value
        }
    }
}
