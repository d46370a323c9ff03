// The word of a string, a blob or any other value that doesn't fit eight bytes.

package import CoreDataSupport
import Synchronization

/// Either a place in the slab's arena or a box.
///
///     bit 63 = 0   bits 32–62 offset into the arena, bits 0–31 length in bytes
///     bit 63 = 1   bits 0–62 address of a retained `CellBox`
public struct CellReference {
    public let word: UInt64

    @inlinable
    public init(word: UInt64) {
        self.word = word
    }

    package init(offset: Int, length: Int) {
        word = UInt64(offset) << 32 | UInt64(length)
    }

    /// Takes over one retain of the box.
    package init(retaining box: CellBox) {
        word = UInt64(UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())) | 1 << 63
    }

    @inlinable public var isBox: Bool { word >> 63 != 0 }
    @inlinable public var offset: Int { Int(word >> 32) }
    @inlinable public var length: Int { Int(word & 0xFFFF_FFFF) }

    /// The box, still owned by the row. Only if `isBox`.
    package var box: CellBox {
        unmanaged.takeUnretainedValue()
    }

    /// Calls the closure with the bytes of the box's string, without counting a reference to either; `false` if it holds none.
    /// Only if `isBox`.
    package func withText(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        unmanaged._withUnsafeGuaranteedRef { box in
            guard var text = box.text else { return false }
            text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
            return true
        }
    }

    @inlinable
    public func retain() {
        if isBox { retainBox() }
    }

    @inlinable
    public func release() {
        if isBox { releaseBox() }
    }

    @usableFromInline func retainBox() { _ = unmanaged.retain() }
    @usableFromInline func releaseBox() { unmanaged.release() }

    /// The box with the retain that the row has.
    fileprivate func takeBox() -> CellBox { unmanaged.takeRetainedValue() }

    fileprivate var unmanaged: Unmanaged<CellBox> {
        let address = UnsafeRawPointer(bitPattern: UInt(word & ~(1 << 63)))
        return Unmanaged.fromOpaque(address!)  // isBox: made from a live object by `init(retaining:)`
    }
}

/// A value that a row owns by reference.
///
/// Unchecked because boxes are immutable, but for one that nobody else refers to, and rows belong to one context, or
/// to a slab that nobody changes; a value that is loaded late is guarded by its lock.
package final class CellBox: @unchecked Sendable {
    private let stored: Value
    /// A string, which has a place of its own because it is what most boxes hold. Unchecked: sound because only `replace`
    /// changes it, of a box that nobody else refers to, as it sees from its reference count; CellReferenceTests watch that.
    @exclusivity(unchecked)
    package private(set) var text: String?
    private let rest: Rest

    /// The contents that few boxes hold, behind one word, so that boxes are small.
    private enum Rest {
        case nothing
        case late(LateValue)
        case object(GivenObject)
    }

    package init(_ value: Value) {
        if case .string(let string) = value {
            (text, stored) = (string, .null)
        } else {
            (text, stored) = (nil, value)
        }
        rest = .nothing
    }

    package init(text: String) {
        self.text = text
        stored = .null
        rest = .nothing
    }

    /// An object with the bytes that stand for it in a store, once they are known.
    package init(object: Any, bytes: Value = .null) {
        stored = bytes
        rest = .object(GivenObject(object))
    }

    /// A value that is loaded when it is first asked for, and then kept.
    package init(loading load: @escaping @Sendable () throws -> Value) {
        stored = .null
        rest = .late(LateValue(load))
    }

    /// The value; `.null` for one that can't be loaded.
    package var value: Value {
        if let text { return .string(text) }
        if case .late(let late) = rest { return (try? late.load()) ?? .null }
        return stored
    }

    /// The value. Throws what keeps it from being loaded, and loads it again at the next call.
    package func load() throws -> Value {
        if case .late(let late) = rest { return try late.load() }
        return value
    }

    /// A client's object in a transformable or transient attribute, as it was given.
    package var object: Any? {
        if case .object(let given) = rest { given.object } else { nil }
    }

    /// Takes another string, if the box holds one and the row of the reference is all that holds the box.
    package static func replace(_ reference: CellReference, by text: String) -> Bool {
        guard reference.isBox, reference.unmanaged._withUnsafeGuaranteedRef({ $0.text != nil }) else {
            return false
        }
        var box = reference.takeBox()
        let isOwn = isKnownUniquelyReferenced(&box)
        if isOwn { box.text = text }
        _ = CellReference(retaining: box)
        return isOwn
    }
}

private final class GivenObject {
    let object: Any

    init(_ object: Any) {
        self.object = object
    }
}

/// A value that is loaded once.
private final class LateValue: Sendable {
    private let source: @Sendable () throws -> Value
    private let loaded = Mutex<Value?>(nil)

    init(_ source: @escaping @Sendable () throws -> Value) {
        self.source = source
    }

    func load() throws -> Value {
        try loaded.withLock { loaded in
            if let loaded { return loaded }
            let value = try source()
            loaded = value
            return value
        }
    }
}
