// Moving and removing elements of collections by their places.

public import Foundation

extension MutableCollection where Self: RangeReplaceableCollection, Index == Int {
    /// Moves the elements at some places, in their order, before the element that is at another place.
    ///
    /// - Parameters:
    ///   - source: the places of the elements, from 0.
    ///   - destination: the place before which they are put, counted before anything moves.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let moved = source.map { self[$0] }
        let place = destination - source.count(in: 0..<destination)
        remove(atOffsets: source)
        insert(contentsOf: moved, at: place)
    }
}

extension RangeReplaceableCollection where Self: MutableCollection, Index == Int {
    /// Removes the elements at some places.
    public mutating func remove(atOffsets offsets: IndexSet) {
        for range in offsets.rangeView.reversed() { removeSubrange(range) }
    }
}
