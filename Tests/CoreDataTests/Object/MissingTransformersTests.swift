// Transformable attributes whose model names no transformer, or one that the program doesn't have.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

/// Supports coding, but not secure coding.
final class PlainShade: NSObject, NSCoding {
    let depth: Int

    init(depth: Int) {
        self.depth = depth
        super.init()
    }

    init?(coder: NSCoder) {
        depth = coder.decodeInteger(forKey: "depth")
        super.init()
    }

    func encode(with coder: NSCoder) { coder.encode(depth, forKey: "depth") }

    override func isEqual(_ object: Any?) -> Bool { (object as? PlainShade)?.depth == depth }
    override var hash: Int { depth }
}

@Suite struct MissingTransformersTests {
    private final class Texts: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    private func model(_ transformer: String?) -> NSManagedObjectModel {
        let tint = NSAttributeDescription("tint", .transformableAttributeType)
        tint.valueTransformerName = transformer
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Thing", [tint, NSAttributeDescription("name", .string)])]
        return model
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory, .binary, .xml] + StoreKind.onServers)
    func withoutANameAnyCodedObjectIsKept(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(model(nil))
        let context = container.newBackgroundContext()
        try context.run { () throws in
            _ = context.make("Thing", ["tint": PlainShade(depth: 4)])
            _ = context.make("Thing", ["tint": [PlainShade(depth: 5)]])
            try context.save()
            context.reset()
            let tints = try context.all("Thing").map { $0.value(forKey: "tint") }
            #expect(tints.contains { ($0 as? PlainShade)?.depth == 4 })
            #expect(tints.contains { (($0 as? NSArray)?.firstObject as? PlainShade)?.depth == 5 })
        }
    }

    @Test func theLogSaysIt() throws {
        let said = Texts()
        let container = try StoreKind.sqlite.makeContainer(model(nil))
        let context = container.newBackgroundContext()
        try Log.$sink.withValue(Log.Sink { said.add($0) }) {
            try context.run { () throws in
                _ = context.make("Thing", ["tint": ["a", 1] as NSArray])
                try context.save()
            }
        }
        #expect(!said.all.contains { $0.contains("Thing.tint") })
        try Log.$sink.withValue(Log.Sink { said.add($0) }) {
            try context.run { () throws in
                _ = context.make("Thing", ["tint": PlainShade(depth: 4)])
                try context.save()
            }
        }
        #expect(said.all.contains { $0.contains("Thing.tint") })
    }

    @Test func anUnknownNameIsAnErrorOfTheSave() throws {
        let container = try StoreKind.sqlite.makeContainer(model("missing.save"))
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let thing = context.make("Thing", ["name": "a"])
            try context.save()
            #expect(thing.value(forKey: "tint") == nil)
            thing.setValue("red", forKey: "tint")
            let failure = #expect(throws: NSError.self) { try context.save() }
            expect(failure?.localizedDescription.contains("setValueTransformer(_:forName:)"), equals: true)
            expect(failure?.localizedDescription.contains("missing.save"), equals: true)
        }
    }

    @Test func anUnknownNameIsAnErrorOfTheRead() throws {
        let container = try StoreKind.sqlite.makeContainer(model("missing.read"))
        let context = container.newBackgroundContext()
        let name = NSValueTransformerName("missing.read")
        ValueTransformer.setValueTransformer(NSSecureUnarchiveFromDataTransformer(), forName: name)
        try context.run { () throws in
            _ = context.make("Thing", ["tint": "red"])
            try context.save()
            context.reset()
            ValueTransformer.setValueTransformer(nil, forName: name)
            let thing = try #require(try context.all("Thing").first)
            #expect(thing.value(forKey: "name") == nil && context.readError == nil)
            #expect(thing.value(forKey: "tint") == nil)
            let failure = #expect(throws: NSError.self) { try context.save() }
            expect(failure?.localizedDescription.contains("setValueTransformer(_:forName:)"), equals: true)
            ValueTransformer.setValueTransformer(NSSecureUnarchiveFromDataTransformer(), forName: name)
            context.refresh(thing, mergeChanges: false)
            expect(thing.value(forKey: "tint") as? String, equals: "red")
            try context.save()
        }
    }

    @Test func aStoreInMemoryNeedsNoTransformer() throws {
        let container = try StoreKind.inMemory.makeContainer(model("missing.memory"))
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let thing = context.make("Thing", ["tint": PlainShade(depth: 6)])
            try context.save()
            thing.setValue("b", forKey: "name")
            try context.save()
            context.reset()
            let found = try #require(try context.all("Thing").first)
            expect((found.value(forKey: "tint") as? PlainShade)?.depth, equals: 6)
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.run { () throws in
                _ = child.make("Thing", ["tint": PlainShade(depth: 7)])
                try child.save()
            }
            try context.save()
            let insert = NSBatchInsertRequest(
                entityName: "Thing", objects: [["tint": PlainShade(depth: 8)]])
            try context.execute(insert)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = NSPredicate(format: "tint == %@", PlainShade(depth: 8))
            try expect(context.count(for: request), equals: 1)
            context.reset()
            let depths = try context.all("Thing").compactMap {
                ($0.value(forKey: "tint") as? PlainShade)?.depth
            }
            expect(depths.sorted(), equals: [6, 7, 8])
        }
    }
}
