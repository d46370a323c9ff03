// Carries an event's changes out on a list. Only objects that changed are looked at, and neighbours of theirs.

import Foundation

/// One event's changes of a list.
///
/// A changed object keeps its place if it is in order there, among the objects that didn't change. Of changed
/// objects that follow each other, a longest part that is in order stays. All others move: they are taken out and
/// put in where they belong.
struct ResultUpdate {
    private let list: ResultList
    private let order: ResultOrder
    private let sectionName: (AnyObject) -> String
    private var changes = ResultChangeSet()
    private var oldPaths: [ObjectIdentifier: IndexPath] = [:]
    /// The sections that objects left or may leave, with their numbers before the event.
    private var touched: [ObjectIdentifier: (section: ResultSection, number: Int)] = [:]

    init(_ list: ResultList, order: ResultOrder, sectionName: @escaping (AnyObject) -> String) {
        self.list = list
        self.order = order
        self.sectionName = sectionName
    }

    /// Changes the list and returns what changed.
    mutating func apply(_ candidates: ResultCandidates) -> ResultChangeSet {
        for object in candidates.leaving + candidates.staying { note(object) }
        for object in candidates.leaving {
            if let path = oldPaths[ObjectIdentifier(object)] { changes.deletes.append((object, path)) }
            list.remove(object)
        }
        let names = candidates.staying.map { list.isSectioned ? sectionName($0) : "" }
        let moving = movers(candidates.staying, names: names)
        for number in moving { list.remove(candidates.staying[number]) }
        for number in moving { insert(candidates.staying[number], name: names[number]) }
        for object in candidates.entering {
            insert(object, name: list.isSectioned ? sectionName(object) : "")
        }
        dropEmptySections()
        for object in candidates.entering {
            if let path = list.indexPath(of: object) { changes.inserts.append((object, path)) }
        }
        let moved = Set(moving)
        for (number, object) in candidates.staying.enumerated() {
            guard let from = oldPaths[ObjectIdentifier(object)], let to = list.indexPath(of: object) else {
                continue
            }
            if moved.contains(number) {
                changes.moves.append((object, from, to))
            } else {
                changes.updates.append((object, from, to))
            }
        }
        return sorted()
    }

    private mutating func note(_ object: AnyObject) {
        guard let path = list.indexPath(of: object), let section = list.run(of: object)?.section else {
            return
        }
        oldPaths[ObjectIdentifier(object)] = path
        touched[ObjectIdentifier(section)] = (section, path.section)
    }

    private mutating func insert(_ object: AnyObject, name: String) {
        if let new = list.insert(object, section: name, by: order) { changes.insertedSections.append(new) }
    }

    private mutating func dropEmptySections() {
        for (section, number) in touched.values where list.dropEmpty(section) {
            section.number = number
            changes.deletedSections.append(section)
        }
    }

    private func sorted() -> ResultChangeSet {
        var changes = changes
        changes.deletedSections.sort { $0.number > $1.number }
        changes.insertedSections.sort { $0.number < $1.number }
        changes.deletes.sort { $0.from > $1.from }
        changes.inserts.sort { $0.to < $1.to }
        changes.moves.sort { $0.to < $1.to }
        changes.updates.sort { $0.from < $1.from }
        return changes
    }

    // MARK: Objects that must move

    /// The numbers of the changed objects that can't keep their places.
    private func movers(_ objects: [NSManagedObject], names: [String]) -> [Int] {
        var parts: [ObjectIdentifier: (section: ResultSection, items: [(item: Int, number: Int)])] = [:]
        for (number, object) in objects.enumerated() {
            guard let run = list.run(of: object), let offset = run.offset(of: object) else { continue }
            parts[ObjectIdentifier(run.section), default: (run.section, [])].items
                .append((run.section.item(run, offset: offset), number))
        }
        var places = SectionPlaces(list, order: order)
        for part in parts.values {
            let staying = part.items.first { names[$0.number] == part.section.name }
            places.note(
                part.section, changed: part.items.map { objects[$0.number] },
                staying: staying.map { objects[$0.number] })
        }
        let displaced = places.displaced()
        return parts.values.flatMap { part in
            displaced.contains(part.section.number)
                ? part.items.map(\.number)
                : movers(part.section, items: part.items.sorted { $0.item < $1.item }, names: names)
        }.sorted()
    }

    /// Those of a section: gap by gap between objects that didn't change.
    private func movers(
        _ section: ResultSection, items: [(item: Int, number: Int)], names: [String]
    ) -> [Int] {
        var moving: [Int] = []
        var rest = items[...]
        while let first = rest.first {
            let gap = rest.enumerated().prefix { $0.element.item == first.item + $0.offset }.map(\.element)
            rest = rest.dropFirst(gap.count)
            let before = first.item > 0 ? section[first.item - 1] : nil
            let end = first.item + gap.count
            let after = end < section.numberOfObjects ? section[end] : nil
            let (inside, outside) = gap.partitioned { candidate in
                let object = section[candidate.item]
                return names[candidate.number] == section.name
                    && order.allows(before, before: object) && order.allows(object, before: after)
            }
            moving += outside.map(\.number)
            let kept = order.longestOrdered(inside.map { section[$0.item] })
            moving += inside.enumerated().filter { !kept.contains($0.offset) }.map(\.element.number)
        }
        return moving
    }
}

extension Array {
    /// The elements that pass a test and those that don't, each in their order.
    fileprivate func partitioned(_ passes: (Element) -> Bool) -> (passing: [Element], failing: [Element]) {
        var parts: (passing: [Element], failing: [Element]) = ([], [])
        for element in self {
            if passes(element) { parts.passing.append(element) } else { parts.failing.append(element) }
        }
        return parts
    }
}
