// A small program for `--start`: opens a store, fetches 50 objects, and prints when it had them, in nanoseconds of the
// clock that all processes share, with the kilobytes of memory that it holds then, its own and all.

import CoreData
import Foundation

@main
struct StartUp {
    static func main() throws {
        let entity = NSEntityDescription()
        entity.name = "Reading"
        entity.properties = ["group", "sequence"].map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .integer64AttributeType)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let container = NSPersistentContainer(name: "Start", managedObjectModel: model)
        let url = URL(fileURLWithPath: CommandLine.arguments[1])
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        container.loadPersistentStores { _, error in
            if let error { fatalError("\(error)") }  // Without a store there is nothing to measure.
        }
        let context = container.viewContext
        if CommandLine.arguments.contains("--fill") {
            for number in 0..<1000 {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Reading", into: context)
                object.setValue(number, forKey: "sequence")
            }
            return try context.save()
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Reading")
        request.predicate = NSPredicate(format: "sequence >= %ld", 100)
        request.fetchLimit = 50
        let sum = try context.fetch(request).reduce(0) { $0 + ($1.value(forKey: "sequence") as? Int ?? 0) }
        precondition(sum > 0, "Something was read.")
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            .compactMap { Int($0) }
        print(time.tv_sec * 1_000_000_000 + time.tv_nsec, (pages[1] - pages[2]) * 4, pages[1] * 4)
    }
}
