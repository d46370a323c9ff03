// A section's objects in runs of some hundreds, so that one object is found, taken out or put in without touching
// the others.

import CoreDataSupport
import Foundation

/// Up to `limit` objects that follow each other in a section.
final class ResultRun {
    static let limit = 512

    var objects: ContiguousArray<AnyObject>
    unowned let section: ResultSection
    /// The index among the section's runs.
    var number: Int
    /// The number of the section's objects that come before; valid while the section says so.
    var start = 0

    init(_ objects: ContiguousArray<AnyObject>, in section: ResultSection, number: Int) {
        self.objects = objects
        self.section = section
        self.number = number
    }

    func offset(of object: AnyObject) -> Int? { objects.firstIndex { $0 === object } }
}

/// A section as the controller keeps it, and as its delegate sees it.
final class ResultSection: NSFetchedResultsSectionInfo {
    let name: String
    /// The index among the list's sections; of a section that vanished, the former index.
    var number = 0
    private(set) var runs: [ResultRun] = []
    private(set) var numberOfObjects = 0
    private var startsAreValid = false
    private weak var titles: (any SectionTitling)?

    init(_ name: String, objects: ArraySlice<AnyObject>, titles: (any SectionTitling)?) {
        self.name = name
        self.titles = titles
        numberOfObjects = objects.count
        let size = ResultRun.limit / 2
        for start in stride(from: objects.startIndex, to: objects.endIndex, by: size) {
            let part = objects[start..<min(start + size, objects.endIndex)]
            runs.append(ResultRun(ContiguousArray(part), in: self, number: runs.count))
        }
    }

    var isEmpty: Bool { numberOfObjects == 0 }
    var first: AnyObject? { runs.first?.objects.first }
    var last: AnyObject? { runs.last?.objects.last }
    var indexTitle: String? { titles?.sectionIndexTitle(forSectionName: name) }
    var objects: [Any]? { contents }

    /// The objects in their order.
    var contents: [AnyObject] {
        var contents: [AnyObject] = []
        contents.reserveCapacity(numberOfObjects)
        for run in runs { contents += run.objects }
        return contents
    }

    subscript(item: Int) -> AnyObject {
        countStarts()
        let run = runs[runs.firstPosition { $0.start > item } - 1]
        return run.objects[item - run.start]
    }

    /// The place in the section of a run's object.
    func item(_ run: ResultRun, offset: Int) -> Int {
        countStarts()
        return run.start + offset
    }

    private func countStarts() {
        if startsAreValid { return }
        startsAreValid = true
        var start = 0
        for run in runs {
            run.start = start
            start += run.objects.count
        }
    }

    /// Puts an object where the order wants it. Returns its run, and the run that was split off if there was no
    /// room.
    func insert(_ object: AnyObject, by order: ResultOrder) -> (run: ResultRun, split: ResultRun?) {
        numberOfObjects += 1
        startsAreValid = false
        if runs.isEmpty { runs.append(ResultRun([], in: self, number: 0)) }
        let after = runs.firstPosition { run in
            run.objects.first.map { order.places(object, before: $0) } ?? true
        }
        let run = runs[max(0, after - 1)]
        run.objects.insert(object, at: run.objects.firstPosition { order.places(object, before: $0) })
        return (run, split(run))
    }

    private func split(_ run: ResultRun) -> ResultRun? {
        guard run.objects.count > ResultRun.limit else { return nil }
        let half = ResultRun.limit / 2
        let second = ResultRun(
            ContiguousArray(run.objects[half...]), in: self, number: run.number + 1)
        run.objects.removeSubrange(half...)
        runs.insert(second, at: second.number)
        for number in second.number..<runs.count { runs[number].number = number }
        return second
    }

    func remove(from run: ResultRun, at offset: Int) {
        numberOfObjects -= 1
        startsAreValid = false
        run.objects.remove(at: offset)
        guard run.objects.isEmpty else { return }
        runs.remove(at: run.number)
        for number in run.number..<runs.count { runs[number].number = number }
    }
}

/// Sections are compared by identity, in dictionaries of Foundation's too.
extension ResultSection: Hashable {
    static func == (one: ResultSection, other: ResultSection) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The source of sections' titles: the controller.
protocol SectionTitling: AnyObject {
    func sectionIndexTitle(forSectionName sectionName: String) -> String?
}
