// The values of a statement's parameters, in one buffer.

package import CoreDataSQL
import Foundation

/// Parameters in their order. Values of `SQLBinding` are sent as text, whatever the type of their place is; those of rows
/// in binary form.
package struct ParameterList: Sendable {
    private var bytes: [UInt8] = []
    /// The start of each value, and its length, -1 for NULL.
    private var places: [(start: Int, length: Int)] = []
    private var formats: [Int32] = []

    package init() {}

    package init(_ bindings: [SQLBinding]) throws {
        for binding in bindings { try append(binding) }
    }

    package var count: Int { places.count }

    package mutating func append(_ binding: SQLBinding) throws {
        guard let text = PostgreSQLDialect.text(binding) else {
            places.append((0, -1))
            formats.append(0)
            return
        }
        if text.utf8.contains(0) {
            throw ServerFailure(.value, message: "A text with a zero character can't be stored or compared.")
        }
        let start = bytes.count
        bytes += text.utf8
        places.append((start, text.utf8.count))
        formats.append(0)
        bytes.append(0)
    }

    /// Appends a value in binary form.
    package mutating func append(binary value: some Collection<UInt8>) {
        places.append((bytes.count, value.count))
        formats.append(1)
        bytes += value
        bytes.append(0)
    }

    /// Adds the values.
    func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        for place in places { hasher.combine(place.length) }
    }

    /// Hands over what libpq takes: addresses, lengths and forms.
    func withPointers<Result>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?)
            -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let values = places.map { place -> UnsafePointer<CChar>? in
                guard place.length >= 0, let base = buffer.baseAddress else { return nil }
                return (base + place.start).assumingMemoryBound(to: CChar.self)
            }
            let lengths = places.map { Int32(clamping: max(0, $0.length)) }
            return body(Int32(places.count), values, lengths, formats)
        }
    }
}
