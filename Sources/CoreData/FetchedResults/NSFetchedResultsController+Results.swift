// The results of a controller.

import CoreDataSupport
import Foundation

extension NSFetchedResultsController {
    final func fetchAnew() throws {
        let context = tracker.context
        let fetch = try ResolvedFetch(fetchRequest.fields, affected: fetchRequest.affectedStores, in: context)
        try tracker.load(context.fetch(fetchRequest).map { $0 as AnyObject }, fetch: fetch)
        if isListening { resultsAreThere() }
    }

    final var allResults: [ResultType]? {
        // Each object came as a result of the request, or is one of the same entity.
        tracker.list.map { unsafeBitCast($0.objects, to: [ResultType].self) }
    }

    final func result(at indexPath: IndexPath) -> ResultType {
        guard let list = tracker.list else {
            raise(.invalidArgument, "no object at \(indexPath): performFetch() was not called")
        }
        guard indexPath.count == 2, list.sections.indices.contains(indexPath.section) else {
            raise(.invalidArgument, "no section at index path \(indexPath)")
        }
        let section = list.sections[indexPath.section]
        guard indexPath.item >= 0, indexPath.item < section.numberOfObjects else {
            raise(
                .invalidArgument, "no object at index \(indexPath.item) in section at index \(section.number)"
            )
        }
        guard let object = section[indexPath.item] as? ResultType else {
            raise(.invalidArgument, "the object at \(indexPath) is no \(ResultType.self)")
        }
        return object
    }

    // MARK: The index

    /// The titles with the first section of each.
    final var titledSections: [(title: String, section: Int)] {
        var titled: [(title: String, section: Int)] = []
        for section in tracker.list?.sections ?? [] where tracker.list?.isSectioned == true {
            guard let title = sectionIndexTitle(forSectionName: section.name) else { continue }
            if titled.last?.title != title { titled.append((title, section.number)) }
        }
        return titled
    }

    final func title(of sectionName: String) -> String? {
        guard let delegate else { return SectionNaming.indexTitle(of: sectionName) }
        return delegate.controller(erased, sectionIndexTitleForSectionName: sectionName)
    }

    final func number(of title: String, at sectionIndex: Int) -> Int {
        let titled = titledSections
        guard titled.indices.contains(sectionIndex), titled[sectionIndex].title == title else {
            raise(.invalidArgument, "no section index title \"\(title)\" at index \(sectionIndex)")
        }
        return titled[sectionIndex].section
    }

    /// The controller for delegates, which are told of any controller.
    ///
    /// On Apple's systems that is a cast without effect. It is one here too, in memory: all results are references
    /// to objects, and the layout of the class doesn't depend on their type.
    final var erased: NSFetchedResultsController<any NSFetchRequestResult> {
        unsafeBitCast(self, to: NSFetchedResultsController<any NSFetchRequestResult>.self)
    }
}
