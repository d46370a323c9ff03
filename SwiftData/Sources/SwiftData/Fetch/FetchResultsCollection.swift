// Results that are read in batches.

/// Results of a fetch, read in batches as they are asked for.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    /// The part of the results that was read last.
    private final class Batch {
        var start = 0
        var elements: [Element] = []
    }

    public let startIndex = 0
    public let endIndex: Int
    private let batchSize: Int
    private let read: (Range<Int>) -> [Element]
    private let batch = Batch()

    init(count: Int, batchSize: Int, _ read: @escaping (Range<Int>) -> [Element]) {
        endIndex = count
        self.batchSize = Swift.max(1, batchSize)
        self.read = read
    }

    /// Results that are there already.
    init(_ elements: [Element]) {
        self.init(count: elements.count, batchSize: Swift.max(1, elements.count)) { Array(elements[$0]) }
    }

    /// The result at a position.
    public subscript(position: Int) -> Element {
        precondition(
            position >= 0 && position < endIndex, "position \(position) is none of \(endIndex) results")
        let known = position - batch.start
        if known >= 0, known < batch.elements.count { return batch.elements[known] }
        let start = position - position % batchSize
        batch.elements = read(start..<Swift.min(endIndex, start + batchSize))
        batch.start = start
        return batch.elements[position - start]
    }
}
