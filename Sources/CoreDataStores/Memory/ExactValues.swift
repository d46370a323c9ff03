// Values as SQL tells them apart.

package import CoreDataSupport

/// Values whose texts are equal only if their bytes are: Swift's strings are equal in several spellings.
package struct ExactValues: Hashable {
    private let values: [Value]

    package init(_ values: [Value]) {
        self.values = values
    }

    package static func == (left: ExactValues, right: ExactValues) -> Bool {
        left.values == right.values && zip(left.values, right.values).allSatisfy(areExact)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(values) }

    private static func areExact(_ left: Value, and right: Value) -> Bool {
        guard case .string(let left) = left, case .string(let right) = right else { return true }
        return left.utf8.elementsEqual(right.utf8)
    }
}
