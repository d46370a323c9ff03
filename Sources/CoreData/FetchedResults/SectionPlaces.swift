// The check that sections are still in order, when all objects of some have changed.

import Foundation

/// Finds the sections that can't keep their places.
///
/// A section with an object that didn't change is where it was. The others must be in order between those, and
/// among themselves.
struct SectionPlaces {
    private let list: ResultList
    private let order: ResultOrder
    /// For sections all of whose objects changed, by number: an object that stays in the section.
    private var speakers: [Int: AnyObject] = [:]
    private var changed: [Int: Set<ObjectIdentifier>] = [:]

    init(_ list: ResultList, order: ResultOrder) {
        self.list = list
        self.order = order
    }

    /// States which objects of a section changed, and one of them that stays there.
    mutating func note(_ section: ResultSection, changed objects: [AnyObject], staying: AnyObject?) {
        changed[section.number] = Set(objects.map { ObjectIdentifier($0) })
        if let staying, objects.count == section.numberOfObjects { speakers[section.number] = staying }
    }

    /// The numbers of the sections that must move.
    func displaced() -> Set<Int> {
        var displaced: Set<Int> = []
        var rest = speakers.keys.sorted()[...]
        while let first = rest.first {
            let before = (0..<first).last(where: isAnchored)
            let after = ((first + 1)..<list.sections.count).first(where: isAnchored)
            let group = rest.prefix { $0 < after ?? list.sections.count }
            rest = rest.dropFirst(group.count)
            let (lower, upper) = (
                before.flatMap { anchor($0, last: true) }, after.flatMap { anchor($0, last: false) }
            )
            let fitting = group.filter {
                order.allows(lower, before: speakers[$0]) && order.allows(speakers[$0], before: upper)
            }
            let kept = order.longestOrdered(fitting.compactMap { speakers[$0] })
            let staying = Set(kept.map { fitting[$0] })
            displaced.formUnion(group.filter { !staying.contains($0) })
        }
        return displaced
    }

    /// Returns whether a section has an object that didn't change.
    private func isAnchored(_ number: Int) -> Bool {
        (changed[number]?.count ?? 0) < list.sections[number].numberOfObjects
    }

    /// The last or first object of a section that didn't change.
    private func anchor(_ number: Int, last: Bool) -> AnyObject? {
        let section = list.sections[number]
        let moved = changed[number] ?? []
        func isStill(_ item: Int) -> Bool { !moved.contains(ObjectIdentifier(section[item])) }
        let items = 0..<section.numberOfObjects
        return (last ? items.last(where: isStill) : items.first(where: isStill)).map { section[$0] }
    }
}
