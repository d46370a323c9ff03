// A delegate that writes down what it is told, and keeps a list of its own by nothing but that.

import CoreData
import Foundation

/// Writes down changes, and applies them to a copy of the results when all were told, as table views do: old places refer
/// to the copy before the event, new places to the copy after it.
final class ResultRecorder: NSObject, NSFetchedResultsControllerDelegate {
    struct Section: Equatable {
        var name: String
        var objects: [NSManagedObject]
    }

    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    /// The notifications, in order and in short: `will`, `-section 1 B`, `move Ada 0.1>1.0`, `did`.
    var log: [String] = []
    private(set) var mirror: [Section] = []
    private(set) var differences: [CollectionDifference<NSManagedObjectID>] = []
    private(set) var events = 0
    /// New sections that were told after an object, and objects that were told after a vanished section.
    private(set) var misplacedSections = 0
    /// Called while the changes are about to be told.
    var atStart: (() -> Void)?

    private var toldOfObjects = false
    private var deletedSections: [Int] = []
    private var insertedSections: [(Int, String)] = []
    private var removed: [IndexPath] = []
    private var added: [(IndexPath, NSManagedObject)] = []

    /// Takes the results as they are.
    func copy<T>(_ controller: NSFetchedResultsController<T>) {
        mirror = (controller.sections ?? []).map {
            Section(name: $0.name, objects: $0.objects as? [NSManagedObject] ?? [])
        }
    }

    func controllerWillChangeContent(_ controller: Controller) {
        log.append("will")
        atStart?()
    }

    func controller(
        _ controller: Controller, didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        log.append("\(type == .insert ? "+" : "-")section \(sectionIndex) \(sectionInfo.name)")
        if type == .insert {
            if toldOfObjects { misplacedSections += 1 }
            insertedSections.append((sectionIndex, sectionInfo.name))
        } else {
            deletedSections.append(sectionIndex)
        }
    }

    func controller(
        _ controller: Controller, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        toldOfObjects = true
        if !deletedSections.isEmpty { misplacedSections += 1 }
        guard let object = anObject as? NSManagedObject else { return }
        func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "" }
        let name = object.isFault || object.isDeleted ? "" : object.value(forKey: "name") as? String ?? ""
        log.append("\(type) \(name) \(text(indexPath))>\(text(newIndexPath))")
        if type == .update { return }
        if let indexPath { removed.append(indexPath) }
        if let newIndexPath { added.append((newIndexPath, object)) }
    }

    func controllerDidChangeContent(_ controller: Controller) {
        log.append("did")
        events += 1
        for path in removed.sorted(by: >) { mirror[path.section].objects.remove(at: path.item) }
        for section in deletedSections.sorted(by: >) { mirror.remove(at: section) }
        for (number, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) {
            mirror.insert(Section(name: name, objects: []), at: number)
        }
        for (path, object) in added.sorted(by: { $0.0 < $1.0 }) {
            mirror[path.section].objects.insert(object, at: path.item)
        }
        toldOfObjects = false
        removed = []
        added = []
        deletedSections = []
        insertedSections = []
    }

    func controller(
        _ controller: Controller, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        differences.append(diff)
    }

    /// Returns the notifications since the last call.
    func told() -> [String] {
        defer { log = [] }
        return log
    }
}
