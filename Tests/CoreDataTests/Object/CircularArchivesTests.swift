// Archives in which containers contain themselves: every reader refuses them.

import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CircularArchivesTests {
    enum Shape: CaseIterable {
        case array, dictionary, set, orderedSet, twoArrays, deep, key

        /// An archive whose object at the top is, or contains, a container that contains itself.
        var data: Data {
            let writer = KeyedArchiveWriter()
            return writer.data(root: root(writer))
        }

        func root(_ writer: KeyedArchiveWriter) -> PropertyList {
            let place = writer.reserve()
            let names = ["NSArray", "NSObject"]
            func define(_ classes: [String], _ key: String, _ fields: [PropertyList.Entry] = []) {
                writer.define(place, classes: classes, fields: fields + [.init(key, value: .array([place]))])
            }
            switch self {
            case .array: define(names, "NS.objects")
            case .dictionary:
                define(
                    ["NSDictionary", "NSObject"], "NS.objects",
                    [.init("NS.keys", value: .array([writer.string("k")]))])
            case .key:
                define(
                    ["NSDictionary", "NSObject"], "NS.keys",
                    [.init("NS.objects", value: .array([writer.string("k")]))])
            case .set: define(["NSSet", "NSObject"], "NS.objects")
            case .orderedSet:
                writer.define(
                    place, classes: ["NSOrderedSet", "NSObject"], fields: [.init("NS.object.0", value: place)]
                )
            case .twoArrays:
                writer.define(
                    place, classes: names,
                    fields: [.init("NS.objects", value: .array([writer.array([writer.string("a"), place])]))])
            case .deep:
                var inner = writer.array([])
                for _ in 0..<20_000 { inner = writer.array([inner]) }
                return inner
            }
            return place
        }
    }

    private func attribute(_ transformer: String?) -> AttributeTraits {
        var traits = AttributeTraits(.transformable)
        traits.valueTransformerName = transformer
        return traits
    }

    @Test(arguments: Shape.allCases) func transformersRefuseThem(_ shape: Shape) {
        for name in [nil, "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"] {
            let object = Log.$sink.withValue(Log.Sink { _ in }) {
                TransformableCoding.decode(
                    shape.data, attribute: attribute(name), entity: "E", property: "p")
            }
            #expect(object == nil)
        }
        #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(shape.data) == nil)
    }

    @Test(arguments: Shape.allCases) func modelsRefuseThem(_ shape: Shape) throws {
        let folder = try TemporaryFolder()
        for name in ["a.mom", "a.omo", "a.cdm"] {
            let url = folder.file(name)
            try shape.data.write(to: url)
            #expect(NSManagedObjectModel(contentsOf: url) == nil)
            #expect(NSMappingModel(contentsOf: url) == nil)
        }
    }

    /// A value in a store whose bytes are such an archive.
    @Test(arguments: Shape.allCases) func storesRefuseThem(_ shape: Shape) throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            _ = stack.context.make("Person", ["name": "Ann", "tags": ["a"]])
            try stack.context.save()
            stack.context.reset()
        }
        let hex = shape.data.map { String(format: "%02x", $0) }.joined()
        try RawDatabase(stack.url).run("UPDATE ZPERSON SET ZTAGS = x'\(hex)'")
        let context = stack.another()
        try Log.$sink.withValue(Log.Sink { _ in }) {
            try context.run { () throws in
                let person = try #require(try context.all("Person").first)
                expect(person.value(forKey: "name") as? String, equals: "Ann")
                #expect(person.value(forKey: "tags") == nil)
            }
        }
    }

    /// A program checks this before it hands an archive from outside to Foundation's unarchiver.
    @Test(arguments: Shape.allCases) func aCheckRefusesThem(_ shape: Shape) {
        let failure = #expect(throws: NSError.self) { try NSKeyedUnarchiver.checkNesting(of: shape.data) }
        expect(failure?.code, equals: CocoaError.coderReadCorrupt.rawValue)
    }

    @Test func theCheckAcceptsOthers() throws {
        let shared = ["a", "b"] as NSArray
        let predicate = NSPredicate(format: "age > 3 AND name IN %@", ["a", "b"])
        let objects: [Any] = [
            NSArray(array: [shared, shared, NSDictionary(dictionary: ["k": shared])]), predicate,
            NSFetchRequest<any NSFetchRequestResult>(entityName: "Person"), CompanyModel.make(),
        ]
        for object in objects {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
            try NSKeyedUnarchiver.checkNesting(of: data)
        }
        #expect(throws: NSError.self) { try NSKeyedUnarchiver.checkNesting(of: Data([1, 2, 3])) }
    }
}
