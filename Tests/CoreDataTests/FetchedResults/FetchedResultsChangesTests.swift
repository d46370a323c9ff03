// Changes as values: a list elsewhere that nothing else tells of changes.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FetchedResultsChangesValueTests {
    private struct Section: Equatable {
        var name: String
        var ids: [NSManagedObjectID]
    }

    private func sections(_ controller: NSFetchedResultsController<Person>) -> [Section] {
        (controller.sections ?? []).map { section in
            Section(
                name: section.name,
                ids: (section.objects as? [NSManagedObject] ?? []).map(\.objectID))
        }
    }

    /// Brings a list up to date as the documentation of `FetchedResultsChanges` says.
    private func apply(_ changes: FetchedResultsChanges, to list: inout [Section]) {
        let gone = changes.objects.filter { $0.type == .delete || $0.type == .move }.compactMap(\.indexPath)
        for path in gone.sorted(by: >) { list[path.section].ids.remove(at: path.item) }
        for section in changes.sections where section.type == .delete {
            expect(list[section.index], equals: Section(name: section.name, ids: []))
            list.remove(at: section.index)
        }
        for section in changes.sections where section.type == .insert {
            list.insert(Section(name: section.name, ids: []), at: section.index)
        }
        let come: [FetchedResultsChanges.ObjectChange] = changes.objects.filter { $0.type == .insert }
        let moved: [FetchedResultsChanges.ObjectChange] = changes.objects.filter { $0.type == .move }
        #expect(come.allSatisfy { $0.indexPath == nil } && moved.allSatisfy { $0.indexPath != nil })
        let places = (come + moved).map { ($0.newIndexPath ?? [], $0.objectID) }
        for (path, id) in places.sorted(by: { $0.0 < $1.0 }) {
            list[path.section].ids.insert(id, at: path.item)
        }
    }

    @Test func aListCanBeKeptByThemAlone() async throws {
        let people = try PeopleList(PeopleList.some)
        let context = people.context
        nonisolated(unsafe) let controller = people.controller(sort: ["level", "name"], section: "level")
        var (list, changes) = try context.performAndWait { () throws in
            try controller.performFetch()
            return (sections(controller), controller.changes.makeAsyncIterator())
        }
        let steps: [() throws -> Void] = [
            { try people.person("Dan").setValue(2, forKey: "level") },
            { _ = context.make("Person", ["name": "Eve", "level": 5]) },
            { context.delete(try people.person("Bob")) },
            {
                try people.person("Ada").setValuesForKeys(["name": "Zoe", "level": 5])
                _ = context.make("Person", ["name": "Abe", "level": 0])
            },
            { try people.person("Cyd").setValue(9, forKey: "visits") },
        ]
        for step in steps {
            try context.performAndWait { () throws in
                try step()
                context.processPendingChanges()
            }
            let event: FetchedResultsChanges = try #require(await changes.next())
            apply(event, to: &list)
            expect(list, equals: context.performAndWait { sections(controller) })
        }
        expect(list.map(\.name), equals: ["0", "2", "5"])
    }
}
