// The results of a fetched results controller: sections in order, and where each object is.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Sections with their objects.
final class ResultList {
    private(set) var sections: [ResultSection]
    /// Without a section name key path there is one section, also when it is empty.
    let isSectioned: Bool
    private var byName: [String: ResultSection]
    /// The run of each object by address. `nil` until somebody asks: a list that never changes needs none. Runs aren't
    /// retained: one leaves its section only when it is empty.
    private var runs: KeyTable?
    private weak var titles: (any SectionTitling)?
    private var flat: [AnyObject]?

    init(_ objects: [AnyObject], titles: (any SectionTitling)?) {
        isSectioned = false
        self.titles = titles
        sections = [ResultSection("", objects: objects[...], titles: titles)]
        byName = ["": sections[0]]
        flat = objects
    }

    init(_ objects: [AnyObject], sections counts: [(name: String, count: Int)], titles: (any SectionTitling)?)
    {
        isSectioned = true
        self.titles = titles
        var start = 0
        sections = counts.enumerated().map { number, part in
            defer { start += part.count }
            let section = ResultSection(
                part.name, objects: objects[start..<start + part.count], titles: titles)
            section.number = number
            return section
        }
        byName = Dictionary(sections.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        flat = objects
    }

    var count: Int { sections.reduce(0) { $0 + $1.numberOfObjects } }

    /// All objects in their order.
    var objects: [AnyObject] {
        if let flat { return flat }
        let objects = sections.count == 1 ? sections[0].contents : sections.flatMap(\.contents)
        flat = objects
        return objects
    }

    // MARK: Places of objects

    /// Notes where each object is, so that no event has to.
    func indexObjects() {
        if runs != nil { return }
        var made = KeyTable()
        made.reserveCapacity(count)
        for section in sections {
            for run in section.runs { made.note(run) }
        }
        runs = consume made
    }

    /// The run of an object; `nil` if it isn't in the list.
    func run(of object: AnyObject) -> ResultRun? {
        indexObjects()
        return runs?.run(of: object)
    }

    func contains(_ object: AnyObject) -> Bool { run(of: object) != nil }

    func indexPath(of object: AnyObject) -> IndexPath? {
        guard let run = run(of: object), let offset = run.offset(of: object) else { return nil }
        return IndexPath(item: run.section.item(run, offset: offset), section: run.section.number)
    }

    // MARK: Changes

    /// Takes an object out. Its section stays, empty or not, until `dropEmpty`.
    func remove(_ object: AnyObject) {
        guard let run = run(of: object), let offset = run.offset(of: object) else { return }
        flat = nil
        run.section.remove(from: run, at: offset)
        runs?.forget(object, in: run)
    }

    /// Puts an object into the section of that name, which is made, or moved if it is empty, where the order wants
    /// it. Returns the section if it is new.
    func insert(_ object: AnyObject, section name: String, by order: ResultOrder) -> ResultSection? {
        indexObjects()
        flat = nil
        var new: ResultSection?
        var section = byName[name]
        if let known = section, known.isEmpty, isSectioned, !fits(object, section: known, order: order) {
            take(known)
            section = nil
        }
        let target = section ?? make(name, for: object, order: order)
        if section == nil { new = target }
        let (run, split) = target.insert(object, by: order)
        runs?.note(object, in: run)
        if let split { runs?.note(split) }
        return new
    }

    /// Returns whether an empty section is where an object would have it.
    private func fits(_ object: AnyObject, section: ResultSection, order: ResultOrder) -> Bool {
        let before = sections[..<section.number].last { !$0.isEmpty }
        let after = sections[(section.number + 1)...].first { !$0.isEmpty }
        return order.allows(before?.last, before: object) && order.allows(object, before: after?.first)
    }

    private func make(_ name: String, for object: AnyObject, order: ResultOrder) -> ResultSection {
        let section = ResultSection(name, objects: [], titles: titles)
        sections.insert(section, at: place(of: object, order))
        byName[name] = section
        renumber()
        return section
    }

    /// The first section that an object of no section comes before. Empty sections don't say; they are few.
    private func place(of object: AnyObject, _ order: ResultOrder) -> Int {
        var (low, high) = (0, sections.count)
        while low < high {
            let middle = low + (high - low) / 2
            guard let telling = sections[middle..<high].firstIndex(where: { !$0.isEmpty }) else {
                high = middle
                continue
            }
            let comesBefore = sections[telling].first.map { order.places(object, before: $0) } ?? false
            if comesBefore { high = middle } else { low = telling + 1 }
        }
        return low
    }

    /// Removes a section if it is empty. Returns whether it was.
    func dropEmpty(_ section: ResultSection) -> Bool {
        guard isSectioned, section.isEmpty else { return false }
        if byName[section.name] === section { take(section) }
        return true
    }

    private func take(_ section: ResultSection) {
        sections.remove(at: section.number)
        byName[section.name] = nil
        renumber()
    }

    private func renumber() {
        for (number, section) in sections.enumerated() { section.number = number }
    }
}

/// The runs of objects, by the objects' addresses.
extension KeyTable {
    private static func key(_ object: AnyObject) -> Int64 {
        Int64(Int(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    fileprivate func run(of object: AnyObject) -> ResultRun? {
        find(Self.key(object)).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate mutating func note(_ object: AnyObject, in run: ResultRun) {
        reserve(Self.key(object)).pointee = Unmanaged.passUnretained(run).toOpaque()
    }

    fileprivate mutating func note(_ run: ResultRun) {
        for object in run.objects { note(object, in: run) }
    }

    fileprivate mutating func forget(_ object: AnyObject, in run: ResultRun) {
        remove(Self.key(object), address: Unmanaged.passUnretained(run).toOpaque())
    }
}
