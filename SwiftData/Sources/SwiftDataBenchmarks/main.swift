// Models beside managed objects of the same entity: inserting, and fetching and reading all. And models that are appended to a
// relationship one by one, of which there are a tenth.
//
//   swift run -c release --package-path SwiftData SwiftDataBenchmarks [COUNT] [ROUNDS]

import CoreData
import Foundation
import SwiftData

let arguments = CommandLine.arguments.dropFirst().compactMap(Int.init)
let count = arguments.first ?? 100_000
let rounds = arguments.dropFirst().first ?? 9
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("SwiftDataBenchmarks-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

/// The processor's time, so that what else runs on the machine doesn't count.
func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = clock()
    try work()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

guard let model = NSManagedObjectModel.makeManagedObjectModel(for: [Numbers.self]) else { exit(1) }
model.entities[0].managedObjectClassName = "ManagedNumbers"
ManagedNumbers.registerClass(named: "ManagedNumbers")

func coordinator(_ file: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: file,
        options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    return coordinator
}

func managedContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
}

// Functions of their own, which a profiler can tell apart.

@inline(never)
func insertModels(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    for number in 0..<count { context.insert(Numbers(number)) }
    try context.save()
}

@inline(never)
func insertObjects(_ stores: NSPersistentStoreCoordinator) throws {
    let context = managedContext(stores)
    for number in 0..<count { ManagedNumbers(context: context).fill(Int64(number)) }
    try context.save()
}

@inline(never)
func readModels(_ container: ModelContainer) throws -> Int {
    var sum = 0
    let context = ModelContext(container)
    for model in try context.fetch(FetchDescriptor<Numbers>()) { sum &+= model.sum }
    return sum
}

@inline(never)
func readObjects(_ stores: NSPersistentStoreCoordinator) throws -> Int {
    var sum = 0
    let context = managedContext(stores)
    let request = NSFetchRequest<ManagedNumbers>(entityName: "Numbers")
    for object in try context.fetch(request) { sum &+= object.sum }
    return sum
}

var inserts: (models: [Double], objects: [Double]) = ([], [])
var reads: (models: [Double], objects: [Double]) = ([], [])
for round in 0..<rounds {
    let (modelFile, objectFile) = (
        folder.appendingPathComponent("m\(round).store"), folder.appendingPathComponent("o\(round).store")
    )
    let container = try ModelContainer(for: Numbers.self, configurations: ModelConfiguration(url: modelFile))
    let stores = try coordinator(objectFile)
    inserts.models.append(try seconds { try insertModels(container) })
    inserts.objects.append(try seconds { try insertObjects(stores) })
    var sums = (0, 0)
    reads.models.append(try seconds { sums.0 = try readModels(container) })
    reads.objects.append(try seconds { sums.1 = try readObjects(stores) })
    precondition(sums.0 == sums.1, "both read the same numbers")
}
var appends: [Double] = []
for _ in 0..<min(rounds, 3) {
    let container = try ModelContainer(
        for: Box.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let box = Box()
    context.insert(box)
    appends.append(seconds { for number in 0..<count / 10 { box.items.append(Item(number)) } })
    precondition(box.items.count == count / 10)
}
print("append \(count / 10) models one by one: \(Int(median(appends) * 1e6 + 0.5)) µs")
for (name, times) in [("insert and save", inserts), ("fetch and read", reads)] {
    let (models, objects) = (median(times.models), median(times.objects))
    print(
        "\(name): models \(Int(models * 1e6 + 0.5)) µs, managed objects \(Int(objects * 1e6 + 0.5)) µs, "
            + "ratio \(Double(Int(models / objects * 100 + 0.5)) / 100)")
}
