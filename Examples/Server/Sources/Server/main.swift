// A server whose main thread waits for it to end, as many do. The first argument says who serves the main queue and
// which way the view context is used.

import CoreData
import Dispatch

/// A container in memory, whose view context runs where it is told.
func makeContainer(_ executor: NSManagedObjectContext.Executor) -> NSPersistentContainer {
    let visit = NSEntityDescription()
    visit.name = "Visit"
    let model = NSManagedObjectModel()
    model.entities = [visit]
    let container = NSPersistentContainer(
        name: "Visits", managedObjectModel: model, viewContextExecutor: executor)
    let memory = NSPersistentStoreDescription()
    memory.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [memory]
    container.loadPersistentStores { _, error in
        if let error { print("the store can't be opened: \(error)") }
    }
    return container
}

/// Notes a visit and prints how many there are.
@Sendable func note(in context: NSManagedObjectContext) {
    do {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Visit", into: context)
        try context.save()
        print("\(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Visit"))) visits")
    } catch {
        print("the visit can't be noted: \(error)")
    }
}

/// Performs a request on a thread that isn't the main one, and then ends the server.
func serve(_ context: NSManagedObjectContext, _ way: String) {
    switch way {
    case "perform":
        context.perform {
            note(in: context)
            exit(0)
        }
    case "wait":
        DispatchQueue.global().async {
            context.performAndWait { note(in: context) }
            exit(0)
        }
    default:
        Task.detached {
            await context.perform { note(in: context) }
            exit(0)
        }
    }
}

let who = CommandLine.arguments.dropFirst().first ?? "ownQueue"
let way = CommandLine.arguments.dropFirst(2).first ?? "async"
serve(makeContainer(who == "ownQueue" ? .privateQueue : .mainQueue).viewContext, way)

switch who {
case "dispatchMain": dispatchMain()
case "runLoop": RunLoop.main.run()
case "late":
    Thread.sleep(forTimeInterval: 8)
    dispatchMain()
case "busy":
    let end = Date(timeIntervalSinceNow: 8)
    while Date() < end {}
    dispatchMain()
default:
    // Nobody serves the main queue.
    DispatchSemaphore(value: 0).wait()
}
