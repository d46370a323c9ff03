// Arrays whose members may be held weakly, or be missing.

import CoreDataSupport
public import Foundation

/// A list of objects by their addresses, `Unmanaged.passUnretained(object).toOpaque()`, with places that may be empty.
open class NSPointerArray: NSObject {
    private let options: NSPointerFunctions.Options
    private var places: [HeldObject?] = []

    /// An empty array that keeps its objects so.
    public init(options: NSPointerFunctions.Options) {
        self.options = options
    }

    /// Returns an empty array that doesn't keep its objects: the place of one that is gone is nil.
    open class func weakObjects() -> NSPointerArray { NSPointerArray(options: .weakMemory) }
    /// Returns an empty array that keeps its objects.
    open class func strongObjects() -> NSPointerArray { NSPointerArray(options: .strongMemory) }

    private func held(_ pointer: UnsafeMutableRawPointer?) -> HeldObject? {
        pointer.map {
            HeldObject(Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue(), options: options)
        }
    }

    private func check(_ index: Int, below count: Int) {
        // As on Apple's systems, where an exception ends the process.
        if index < 0 || index >= count {
            CoreDataSupport.raise(.range, "there is no place \(index) of \(count)")
        }
    }

    /// The number of places, empty ones among them.
    open var count: Int { places.count }

    /// Returns the object's address, which is good as long as somebody keeps the object.
    open func pointer(at index: Int) -> UnsafeMutableRawPointer? {
        check(index, below: places.count)
        return places[index]?.object.map { Unmanaged.passUnretained($0).toOpaque() }
    }

    /// Puts an object at the end, by its address.
    open func addPointer(_ pointer: UnsafeMutableRawPointer?) { places.append(held(pointer)) }

    /// Puts an object at a place; those from there on move up.
    ///
    /// - Parameters:
    ///   - item: the object's address, or nil.
    ///   - index: the place, from 0 to the count.
    open func insertPointer(_ item: UnsafeMutableRawPointer?, at index: Int) {
        check(index, below: places.count + 1)
        places.insert(held(item), at: index)
    }

    /// Puts an object in the place of another.
    ///
    /// - Parameters:
    ///   - index: the place, from 0.
    ///   - item: the object's address, or nil.
    open func replacePointer(at index: Int, withPointer item: UnsafeMutableRawPointer?) {
        check(index, below: places.count)
        places[index] = held(item)
    }

    /// Removes the object at a place; those behind it move down.
    open func removePointer(at index: Int) {
        check(index, below: places.count)
        places.remove(at: index)
    }

    /// Removes empty places, also those of objects that are gone.
    open func compact() { places.removeAll { $0?.object == nil } }

    /// The objects that are there.
    open var allObjects: [Any] { places.compactMap { $0?.object } }
}
