// Delegates that leave methods out.

@testable import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSFetchedResultsControllerDelegateTests {
    /// Leaves everything out.
    private final class Silent: NSObject, NSFetchedResultsControllerDelegate {}

    private typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    private func controller(_ list: PeopleList) -> Controller {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return Controller(
            fetchRequest: request, managedObjectContext: list.context, sectionNameKeyPath: "name",
            cacheName: nil)
    }

    @Test func whatIsLeftOutDoesNothing() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let (silent, controller) = (Silent(), controller(list))
            controller.delegate = silent
            try controller.performFetch()
            let person = list.context.make("Person", ["name": "Eve"])
            list.context.processPendingChanges()
            expect(controller.sections?.map(\.name), equals: ["Ada", "Bob", "Cyd", "Dan", "Eve"])
            let section = try #require(controller.sections?.first)
            silent.controllerWillChangeContent(controller)
            silent.controller(controller, didChange: section, atSectionIndex: 0, for: .delete)
            silent.controller(controller, didChange: person, at: [0, 0], for: .delete, newIndexPath: nil)
            silent.controllerDidChangeContent(controller)
            expect(controller.sections?.map(\.name), equals: ["Ada", "Bob", "Cyd", "Dan", "Eve"])
            #expect(!person.isDeleted)
        }
    }

    /// Not an object of Foundation's, as test cases aren't here.
    private final class Plain: NSFetchedResultsControllerDelegate {
        var events = 0
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            events += 1
        }
    }

    @Test func anyClassMayBeADelegate() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let (plain, controller) = (Plain(), controller(list))
            controller.delegate = plain
            try controller.performFetch()
            list.context.delete(try list.person("Bob"))
            list.context.processPendingChanges()
            expect(plain.events, equals: 1)
        }
    }

    @Test func titlesAreCapitalisedFirstLetters() throws {
        let list = try PeopleList([])
        list.context.performAndWait {
            let (silent, controller) = (Silent(), controller(list))
            expect(silent.controller(controller, sectionIndexTitleForSectionName: "ärger"), equals: "Ä")
            #expect(silent.controller(controller, sectionIndexTitleForSectionName: "") == nil)
        }
    }

    @Test func withoutAMethodForSnapshotsChangesAreTold() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let (recorder, controller) = (ResultRecorder(), controller(list))
            controller.delegate = recorder
            try controller.performFetch()
            recorder.copy(controller)
            recorder.controller(
                controller, didChangeContentWith: FetchedResultsSnapshot(sectionIdentifiers: [], items: []))
            list.context.delete(try list.person("Bob"))
            list.context.processPendingChanges()
            expect(recorder.told().count, equals: 4)
        }
    }

    @Test func withoutAMethodForDifferencesTheyAreNotMade() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let (silent, controller) = (Silent(), controller(list))
            controller.delegate = silent
            try controller.performFetch()
            let id = try list.person("Bob").objectID
            let difference = try #require(
                CollectionDifference<NSManagedObjectID>([.insert(offset: 0, element: id, associatedWith: nil)]
                ))
            silent.controller(controller, didChangeContentWith: difference)
            #expect(!controller.tracker.delegateTakesDifferences)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            #expect(controller.tracker.delegateTakesDifferences && controller.delegate === recorder)
        }
    }
}
