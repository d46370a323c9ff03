// The executor of a container's view context.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

@Suite struct ContainerExecutorTests {
    private func container(_ executor: NSManagedObjectContext.Executor) -> NSPersistentContainer {
        let container = NSPersistentContainer(
            name: "People", managedObjectModel: CompanyModel.make(), viewContextExecutor: executor)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        return container
    }

    @Test func theViewContextRunsWhereTheContainerSays() throws {
        let view = container(.privateQueue).viewContext
        expect(view.concurrencyType, equals: .privateQueueConcurrencyType)
        let count = try view.performAndWait {
            _ = view.make("Note")
            try view.save()
            return try view.all("Note").count
        }
        expect(count, equals: 1)
        let executor = QueueExecutor()
        let other = container(.executor(executor)).viewContext
        #expect(other.performAndWait { executor.isHere })
    }

    @Test func itIsTheMainQueueUnlessSaidBeforeTheFirstUse() {
        let container = NSPersistentContainer(name: "People", managedObjectModel: CompanyModel.make())
        container.viewContextExecutor = .privateQueue
        container.viewContextExecutor = .mainQueue
        expect(container.viewContext.concurrencyType, equals: .mainQueueConcurrencyType)
        #expect(container.viewContext === container.viewContext)
        let named = NSPersistentContainer(name: "Missing", viewContextExecutor: .privateQueue)
        expect(named.viewContext.concurrencyType, equals: .privateQueueConcurrencyType)
    }

    @Test func afterTheFirstUseItIsTooLate() async {
        await #expect(processExitsWith: .failure) {
            let container = NSPersistentContainer(name: "People", managedObjectModel: CompanyModel.make())
            _ = container.viewContext
            container.viewContextExecutor = .privateQueue
        }
    }

    @Test func subclassesNeedOnlyAppleInitialiser() {
        final class Container: NSPersistentContainer, @unchecked Sendable {
            override init(name: String, managedObjectModel model: NSManagedObjectModel) {
                super.init(name: name + "!", managedObjectModel: model)
            }
        }
        let container = Container(
            name: "People", managedObjectModel: CompanyModel.make(), viewContextExecutor: .privateQueue)
        expect(container.name, equals: "People!")
        expect(container.viewContext.concurrencyType, equals: .privateQueueConcurrencyType)
    }
}
