// Objects of transformable attributes as bytes.

@testable import CoreData
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

final class TestColor: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let red: Int
    let name: String
    let parts: [String]

    init(red: Int) {
        self.red = red
        name = "red \(red)"
        parts = ["r", "e", "d"]
        super.init()
    }

    init?(coder: NSCoder) {
        red = coder.decodeInteger(forKey: "red")
        name = coder.decodeObject(of: NSString.self, forKey: "name") as String? ?? ""
        parts = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "parts") as? [String] ?? []
        super.init()
    }

    override func isEqual(_ object: Any?) -> Bool { (object as? TestColor)?.red == red }
    override var hash: Int { red }

    func encode(with coder: NSCoder) {
        coder.encode(red, forKey: "red")
        coder.encode(name as NSString, forKey: "name")
        coder.encode(NSArray(array: parts), forKey: "parts")
    }
}

final class TestColorTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [TestColor.self] }
}

private final class Reversing: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data(String($0.reversed()).utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { String(data: $0, encoding: .utf8) }.map { String($0.reversed()) }
    }
}

struct TransformableCodingTests {
    @Test func archivesOfApplesSystemsNameClassesWithoutTheirModule() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName("TestColor", for: TestColor.self)
        archiver.encode(TestColor(red: 3), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let allowed = SecureArchive.Allowed.classes([TestColor.self])
        let read = try SecureArchive.object(from: archiver.encodedData, allowed: allowed)
        #expect(read as? TestColor == TestColor(red: 3))
        #expect(throws: ArchiveFailure.self) {
            try SecureArchive.object(from: archiver.encodedData, allowed: .classes([NSString.self]))
        }
    }

    private func attribute(_ transformer: String? = nil, valueClass: String? = nil) -> AttributeTraits {
        var traits = AttributeTraits(.transformable)
        traits.valueTransformerName = transformer
        traits.valueClassName = valueClass
        return traits
    }

    private func roundTrip(_ object: Any, _ attribute: AttributeTraits) throws -> Any? {
        let data = try TransformableCoding.encode(object, attribute: attribute, entity: "E", property: "p")
        return TransformableCoding.decode(data, attribute: attribute, entity: "E", property: "p")
    }

    /// The result with the warnings that it gave.
    private func warnings(_ body: () -> Any?) -> (Any?, [String]) {
        let said = Texts()
        let result = Log.$sink.withValue(Log.Sink { said.add($0) }, operation: body)
        return (result, said.all)
    }

    private final class Texts: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    @Test func plainObjectsComeBackWithoutATransformer() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1234.5)
        let uuid = UUID()
        let array: [Any] = [
            "a", 1, 2.5, true, date, uuid, Data([1]), NSNull(), Decimal(string: "3.25") as Any,
            ["k": [1, 2]],
        ]
        for name in [nil, "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"] {
            let back = try #require(try roundTrip(array, attribute(name)) as? [Any])
            expect(back.count, equals: array.count)
            expect(back[0] as? String, equals: "a")
            expect(back[1] as? Int, equals: 1)
            expect(back[2] as? Double, equals: 2.5)
            expect(back[3] as? Bool, equals: true)
            expect(back[4] as? Date, equals: date)
            expect(back[5] as? UUID, equals: uuid)
            expect(back[6] as? Data, equals: Data([1]))
            #expect(back[7] is NSNull)
            expect((back[8] as? NSDecimalNumber)?.decimalValue, equals: Decimal(string: "3.25"))
            expect(back[9] as? [String: [Int]], equals: ["k": [1, 2]])
        }
        try expect(roundTrip(Set(["x", "y"]), attribute()) as? Set<String>, equals: ["x", "y"])
        try expect(roundTrip(NSOrderedSet(array: [2, 1]), attribute()) as? NSOrderedSet, equals: [2, 1])
        try expect(roundTrip("text", attribute()) as? String, equals: "text")
        #expect(try roundTrip(NSMutableArray(array: [1]), attribute()) is NSMutableArray)
        try expect(roundTrip([1: "one"] as [Int: String], attribute()) as? [Int: String], equals: [1: "one"])
    }

    @Test func foundationReadsWhatWeWrite() throws {
        let object =
            ["name": "x", "list": [1, 2], "when": Date(timeIntervalSinceReferenceDate: 5)] as [String: Any]
        let data = try TransformableCoding.encode(object, attribute: attribute(), entity: "E", property: "p")
        let classes: [AnyClass] = [
            NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self,
        ]
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSDictionary)
        expect(back["name"] as? String, equals: "x")
        expect(back["list"] as? [Int], equals: [1, 2])
        expect(back["when"] as? Date, equals: Date(timeIntervalSinceReferenceDate: 5))
        let theirs = try NSKeyedArchiver.archivedData(
            withRootObject: ["u": UUID(), "s": NSSet(array: [1])] as NSDictionary, requiringSecureCoding: true
        )
        let ours = TransformableCoding.decode(theirs, attribute: attribute(), entity: "E", property: "p")
        expect(((ours as? NSDictionary)?["s"] as? NSSet), equals: NSSet(array: [1]))
    }

    @Test func customTransformersGoForward() throws {
        ValueTransformer.setValueTransformer(Reversing(), forName: NSValueTransformerName("coding.reversing"))
        let reversing = attribute("coding.reversing")
        let data = try TransformableCoding.encode("abc", attribute: reversing, entity: "E", property: "p")
        expect(data, equals: Data("cba".utf8))
        try expect(roundTrip("abc", reversing) as? String, equals: "abc")
        let failure = #expect(throws: NSError.self) { try self.roundTrip(5, reversing) }
        expect(failure?.localizedDescription.contains("E.p"), equals: true)
    }

    @Test func secureSubclassesAddClasses() throws {
        ValueTransformer.setValueTransformer(
            TestColorTransformer(), forName: NSValueTransformerName("coding.color"))
        let color = try roundTrip(TestColor(red: 7), attribute("coding.color"))
        expect((color as? TestColor)?.red, equals: 7)
        expect((color as? TestColor)?.name, equals: "red 7")
        expect((color as? TestColor)?.parts, equals: ["r", "e", "d"])
        let nested = try roundTrip(["c": TestColor(red: 8)], attribute("coding.color"))
        expect(((nested as? NSDictionary)?["c"] as? TestColor)?.red, equals: 8)
        let stated = attribute(valueClass: NSStringFromClass(TestColor.self))
        expect((try roundTrip(TestColor(red: 9), stated) as? TestColor)?.red, equals: 9)
    }

    /// Predicates find the values of transformable attributes by their bytes.
    @Test func equalObjectsHaveEqualBytes() throws {
        ValueTransformer.setValueTransformer(
            TestColorTransformer(), forName: NSValueTransformerName("coding.color.bytes"))
        let color = attribute("coding.color.bytes")
        func bytes(_ object: Any, _ attribute: AttributeTraits) throws -> Data {
            try TransformableCoding.encode(object, attribute: attribute, entity: "E", property: "p")
        }
        let words = (0..<20).map { "word \($0)" }
        let numbers = Dictionary(uniqueKeysWithValues: zip(words, 0...))
        let first = try (
            bytes(TestColor(red: 7), color), bytes(numbers, attribute()), bytes(Set(words), attribute())
        )
        for _ in 0..<50 {
            try expect(bytes(TestColor(red: 7), color), equals: first.0)
            let sameNumbers = Dictionary(
                uniqueKeysWithValues: words.shuffled().map { ($0, numbers[$0] ?? -1) })
            try expect(bytes(sameNumbers, attribute()), equals: first.1)
            try expect(bytes(Set(words.shuffled()), attribute()), equals: first.2)
        }
        #expect(try bytes(TestColor(red: 8), color) != first.0)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: TestColor.self, from: first.0)
        #expect(back?.name == "red 7" && back?.parts == ["r", "e", "d"])
    }

    /// In SQL by the bytes, in memory by `isEqual`. The client's atomic store keeps what JSON can.
    @Test(arguments: StoreKind.withObjects.filter { $0 != .atomic })
    func predicatesFindObjects(_ kind: StoreKind) throws {
        ValueTransformer.setValueTransformer(
            TestColorTransformer(), forName: NSValueTransformerName("coding.color.found"))
        let tint = NSAttributeDescription("tint", .transformableAttributeType)
        tint.valueTransformerName = "coding.color.found"
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Thing", [tint])]
        let container = try kind.makeContainer(model)
        defer { withExtendedLifetime(container) {} }
        let context = container.newBackgroundContext()
        func count(_ predicate: NSPredicate) throws -> Int {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = predicate
            return try context.count(for: request)
        }
        try context.performAndWait {
            for red in [1, 2, 2] {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValue(TestColor(red: red), forKey: "tint")
            }
            try context.save()
            context.reset()
            try expect(count(NSPredicate(format: "tint == %@", TestColor(red: 2))), equals: 2)
            try expect(count(NSPredicate(format: "tint != %@", TestColor(red: 2))), equals: 1)
            try expect(count(NSPredicate(format: "tint == %@", TestColor(red: 3))), equals: 0)
            try expect(
                count(NSPredicate(format: "tint IN %@", [TestColor(red: 1), TestColor(red: 3)])), equals: 1)
        }
    }

    @Test func refusedClassesAreNamed() throws {
        let failure = #expect(throws: NSError.self) {
            try TransformableCoding.encode(
                TestColor(red: 1), attribute: attribute("NSSecureUnarchiveFromData"), entity: "Hero",
                property: "color")
        }
        expect(failure?.domain, equals: NSCocoaErrorDomain)
        expect(failure?.localizedDescription.contains("Hero.color"), equals: true)
        expect(failure?.localizedDescription.contains("TestColor"), equals: true)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: [TestColor(red: 1)] as NSArray, requiringSecureCoding: true)
        let (object, said) = warnings {
            TransformableCoding.decode(
                data, attribute: attribute("NSSecureUnarchiveFromData"), entity: "Hero", property: "color")
        }
        #expect(object == nil)
        #expect(said.count == 1 && said[0].contains("Hero.color") && said[0].contains("TestColor"))
    }

    @Test func unknownTransformersAndClassesAreNamed() throws {
        let failure = #expect(throws: NSError.self) {
            try TransformableCoding.encode("x", attribute: attribute("Nobody"), entity: "E", property: "p")
        }
        expect(failure?.localizedDescription.contains("Nobody"), equals: true)
        let writer = KeyedArchiveWriter()
        let data = writer.data(
            root: writer.object(["NSColor", "NSObject"], fields: [.init("NSRGB", value: .data(Data([1])))]))
        for name in [nil, "NSKeyedUnarchiveFromData"] {
            let (object, said) = warnings {
                TransformableCoding.decode(data, attribute: attribute(name), entity: "Hero", property: "tint")
            }
            #expect(object == nil)
            #expect(said.count == 1 && said[0].contains("Hero.tint") && said[0].contains("NSColor"))
        }
    }

    @Test func whatCantBeArchivedThrows() {
        struct Plain {}
        final class Uncoded: NSObject {}
        for object in [Plain(), Uncoded(), [Uncoded()], ["k": Plain()]] as [Any] {
            for name in [nil, "NSKeyedUnarchiveFromData"] {
                #expect(throws: NSError.self) {
                    try TransformableCoding.encode(
                        object, attribute: attribute(name), entity: "E", property: "p")
                }
            }
        }
    }

    @Test func brokenBytesGiveNil() throws {
        let stated = attribute(
            "NSSecureUnarchiveFromData", valueClass: NSStringFromClass(TestColor.self))
        let plain = try TransformableCoding.encode(
            ["a", ["k": 1.5], Date()] as [Any], attribute: attribute(), entity: "E", property: "p")
        let color = try TransformableCoding.encode(
            [TestColor(red: 3)], attribute: stated, entity: "E", property: "p")
        var random = SeededGenerator(seed: 7)
        var unreadable = 0
        for (data, attribute) in [
            (plain, attribute()), (color, stated), (color, attribute("NSSecureUnarchiveFromData")),
        ] {
            for length in stride(from: 0, to: data.count, by: 7) {
                let (object, said) = warnings {
                    TransformableCoding.decode(
                        data.prefix(length), attribute: attribute, entity: "E", property: "p")
                }
                #expect(object == nil && said.count == 1)
            }
            for _ in 0..<rounds(300, long: 2000) {
                var bytes = data
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
                let (object, said) = warnings {
                    TransformableCoding.decode(bytes, attribute: attribute, entity: "E", property: "p")
                }
                // Damage to a class's name can leave an archive of another class, which is warned of and read.
                let refusals = said.count { $0.contains("can't be read") }
                expect(refusals, equals: (object == nil ? 1 : 0))
                unreadable += refusals
            }
        }
        #expect(unreadable > rounds(150, long: 1000))
    }
}
