// The order of fetched objects in memory: the fetch's sort descriptors.

import CoreDataPredicate
import CoreDataStores
import CoreDataSupport
import Foundation

/// Compares objects as a fetch request sorts them.
struct ResultOrder {
    private let keys: SortEvaluator?
    /// The sort descriptors, used if a comparator of the client's takes part.
    private let descriptors: [NSSortDescriptor]

    init(_ fetch: ResolvedFetch) {
        descriptors = fetch.memorySort
        keys = fetch.memorySort.isEmpty ? SortEvaluator(fetch.storeFetch.sortKeys) : nil
    }

    /// The order by sort descriptors. Stops the process when values can't be compared, as sorting does.
    func compare(_ left: AnyObject, with right: AnyObject) -> ComparisonResult {
        guard let keys else {
            for descriptor in descriptors {
                let order = descriptor.compare(left, to: right)
                if order != .orderedSame { return order }
            }
            return .orderedSame
        }
        do {
            return try keys.compare(.object(ObjectReference(left)), with: .object(ObjectReference(right)))
        } catch {
            raise(
                .invalidArgument, "fetched objects can't be sorted: \(error)",
                instead: "NSSortDescriptor.compare(checking:to:)")
        }
    }

    /// Returns whether one object may not come after another.
    func allows(_ left: AnyObject?, before right: AnyObject?) -> Bool {
        guard let left, let right else { return true }
        return compare(left, with: right) != .orderedDescending
    }

    /// Returns whether a new object's place is before another: objects with equal keys stand in the order of
    /// their rows, new ones last, as they do in most fetches.
    func places(_ object: AnyObject, before other: AnyObject) -> Bool {
        switch compare(object, with: other) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame:
            guard let object = object as? NSManagedObject, let other = other as? NSManagedObject else {
                return false
            }
            let (key, otherKey) = (object.primaryKey, other.primaryKey)
            if (key < 0) != (otherKey < 0) { return otherKey < 0 }
            return key < 0 ? key > otherKey : key < otherKey
        }
    }

    /// The positions of a longest part that is in order already.
    func longestOrdered(_ objects: [AnyObject]) -> Set<Int> {
        if objects.count == 1 { return [0] }
        // `tails[n]` ends the part of length n + 1 whose last object comes earliest in the order.
        var tails: [Int] = []
        var previous = [Int?](repeating: nil, count: objects.count)
        for (position, object) in objects.enumerated() {
            let place = tails.firstPosition { compare(objects[$0], with: object) == .orderedDescending }
            previous[position] = place > 0 ? tails[place - 1] : nil
            if place == tails.count { tails.append(position) } else { tails[place] = position }
        }
        var longest: Set<Int> = []
        var next = tails.last
        while let position = next {
            longest.insert(position)
            next = previous[position]
        }
        return longest
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first position whose element passes a test that all later ones pass too; `endIndex` if none does.
    func firstPosition(where passes: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if passes(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
