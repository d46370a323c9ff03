// Value transformers by name.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class Uppercase: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.uppercased() }
    override class func allowsReverseTransformation() -> Bool { false }
}

/// Nobody registers it.
private final class Unregistered: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}

struct ValueTransformerTests {
    /// As Apple's documentation says of a name that nothing is registered under.
    @Test(arguments: ["Unregistered", String(reflecting: Unregistered.self)])
    func aClassIsFoundByItsName(_ text: String) throws {
        let name = NSValueTransformerName(text)
        let found = try #require(ValueTransformer(forName: name))
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        #expect(found is Unregistered)
        #expect(ValueTransformer(forName: name) === found)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        #expect(ValueTransformer(forName: NSValueTransformerName("NSManagedObject")) == nil)
    }

    @Test func aClassOfTheModelStandsBehindAnAttribute() throws {
        let note = NSAttributeDescription("note", .transformableAttributeType)
        note.valueTransformerName = "Unregistered"
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Thing", [note])]
        let container = try StoreKind.sqlite.makeContainer(model)
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let object = context.make("Thing", ["note": "text"])
            try context.save()
            context.refresh(object, mergeChanges: false)
            expect(object.value(forKey: "note") as? String, equals: "text")
        }
    }

    @Test func findsTheRegisteredObject() throws {
        let name = NSValueTransformerName("ValueTransformerTests.uppercase")
        #expect(ValueTransformer(forName: name) == nil)
        let transformer = Uppercase()
        ValueTransformer.setValueTransformer(transformer, forName: name)
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        let found: ValueTransformer = try #require(ValueTransformer(forName: name))
        #expect(found === transformer)
        expect(found.transformedValue("abc") as? String, equals: "ABC")
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        #expect(NSSecureUnarchiveFromDataTransformer(forName: name) == nil)
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) == nil)
    }

    @Test func standardTransformersAreThere() throws {
        let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
        expect(negate.transformedValue(true) as? Bool, equals: false)
        expect(negate.reverseTransformedValue(false) as? Bool, equals: true)
        let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
        expect(isNil.transformedValue(nil) as? Bool, equals: true)
        expect(isNil.transformedValue(1) as? Bool, equals: false)
        let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
        expect(isNotNil.transformedValue(nil) as? Bool, equals: false)
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        let data = keyed.reverseTransformedValue(["a": 1])
        #expect((keyed.transformedValue(data) as? NSDictionary) == ["a": 1] as NSDictionary)
    }

    @Test func aTransformerIsItsOwnReverseUnlessItForbids() async {
        expect(ValueTransformer().reverseTransformedValue("x") as? String, equals: "x")
        await #expect(processExitsWith: .failure) {
            _ = Uppercase().reverseTransformedValue("X")
        }
    }

    @Test func secureTransformersRefuseOtherClasses() {
        final class Strings: NSSecureUnarchiveFromDataTransformer {
            override class var allowedTopLevelClasses: [AnyClass] { [NSString.self] }
        }
        let strings = Strings()
        let text = strings.reverseTransformedValue("text")
        expect(strings.transformedValue(text) as? String, equals: "text")
        #expect(strings.reverseTransformedValue([1]) == nil)
        let array = NSSecureUnarchiveFromDataTransformer().reverseTransformedValue([1])
        #expect(array is Data)
        #expect(strings.transformedValue(array) == nil)
        #expect(strings.transformedValue(nil) == nil)
        #expect(strings.transformedValue(Data([1, 2, 3])) == nil)
    }

    @Test func whatTransformersSayAboutThemselves() throws {
        expect(
            ObjectIdentifier(ValueTransformer.transformedValueClass()),
            equals: ObjectIdentifier(NSObject.self))
        #expect(ValueTransformer.allowsReverseTransformation())
        expect(
            ObjectIdentifier(NSSecureUnarchiveFromDataTransformer.transformedValueClass()),
            equals: ObjectIdentifier(NSObject.self))
        #expect(NSSecureUnarchiveFromDataTransformer.allowsReverseTransformation())
        let lookup: any ValueTransformerLookup.Type = NSSecureUnarchiveFromDataTransformer.self
        #expect(lookup.init(forName: .isNilTransformerName) == nil)
    }

    @Test func standardNamesHaveApplesValues() {
        expect(NSValueTransformerName(rawValue: "x").rawValue, equals: "x")
        let names: [NSValueTransformerName] = [
            .negateBooleanTransformerName, .isNilTransformerName, .isNotNilTransformerName,
            .unarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
            .secureUnarchiveFromDataTransformerName,
        ]
        expect(
            names.map(\.rawValue),
            equals: [
                "NSNegateBoolean", "NSIsNil", "NSIsNotNil", "NSUnarchiveFromData",
                "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromData",
            ])
        #expect(ValueTransformer(forName: .unarchiveFromDataTransformerName) == nil)
        #expect(
            ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
                is NSSecureUnarchiveFromDataTransformer)
    }
}
