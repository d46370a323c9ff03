// The sort descriptor that we make: by a key instead of a Swift key path.

import CoreDataPredicate
import Foundation

/// A sort descriptor with a key, which a store can use.
final class KeySortDescriptor: NSSortDescriptor {
    let sortKeyValue: SortKey

    init(_ sortKey: SortKey) {
        sortKeyValue = sortKey
        super.init(
            keyPath: \NSObject.self, ascending: sortKey.ascending, comparator: { _, _ in .orderedSame })
    }
}
