// nil by key for setters that take numbers: what `setNilValueForKey(_:)` is called for, and what it may do instead.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Setters of numbers, stated as the build plugin states them.
private class Knob: NSManagedObject {
    var calls: [String] = []

    var level: Int16 {
        get { primitiveValue(forKey: "level") as? Int16 ?? -1 }
        set {
            calls.append("level = \(newValue)")
            willChangeValue(forKey: "level")
            setPrimitiveValue(newValue, forKey: "level")
            didChangeValue(forKey: "level")
        }
    }
    var isOn: Bool {
        get { primitiveValue(forKey: "isOn") as? Bool ?? false }
        set { setPrimitiveValue(newValue, forKey: "isOn") }
    }
    /// Asks for its own key, which means the stored value.
    var angle: Double {
        get { primitiveValue(forKey: "angle") as? Double ?? 0 }
        set { setValue(newValue < 0 ? nil : newValue, forKey: "angle") }
    }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.setter("level", \Knob.level)
        keys.setter("isOn", \Knob.isOn)
        keys.setter("angle", \Knob.angle)
    }
}

private final class KnobFromZero: Knob {
    override func setNilValueForKey(_ key: String) {
        calls.append("nil for \(key)")
        if key == "level" { setValue(7, forKey: key) } else { super.setNilValueForKey(key) }
    }
}

@Suite(.serialized) struct NilNumbersTests {
    private func knob<Object: Knob>(_ type: Object.Type) throws -> (TestStack, Object) {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = ("Knob", "." + String(describing: type))
        let types: [(String, NSAttributeType)] = [
            ("level", .integer16AttributeType), ("isOn", .booleanAttributeType),
            ("angle", .doubleAttributeType), ("count", .integer32AttributeType),
        ]
        entity.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        type.registerClass()
        let stack = try TestStack(model: model)
        let object = try stack.context.run { () throws in
            stack.context.make("Knob", ["level": 3, "count": 3])
        }
        return (stack, try #require(object as? Object))
    }

    @Test func aClassMaySetAnotherValueThroughItsSetter() throws {
        let (stack, knob) = try self.knob(KnobFromZero.self)
        try stack.context.run { () throws in
            knob.calls = []
            knob.setValue(nil, forKey: "level")
            #expect(knob.level == 7 && knob.calls == ["nil for level", "level = 7"])
            knob.setValuesForKeys(["level": NSNull()])
            expect(knob.calls.suffix(2), equals: ["nil for level", "level = 7"])
            knob.calls = []
            try knob.setValues(checking: ["level": NSNull()])
            #expect(knob.level == 7 && knob.calls == ["nil for level", "level = 7"])
        }
    }

    @Test func nilIsStoredWhereTheClassHasNoSetter() throws {
        let (stack, knob) = try self.knob(KnobFromZero.self)
        try stack.context.run { () throws in
            knob.calls = []
            knob.setValue(nil, forKey: "count")
            #expect(knob.value(forKey: "count") == nil && knob.calls.isEmpty)
            // Within its own setter the key means the stored value.
            knob.angle = 2
            knob.setValue(-1, forKey: "angle")
            #expect(knob.primitiveValue(forKey: "angle") == nil && knob.calls.isEmpty)
        }
    }

    @Test func checkedValuesThrowWhereNilWouldRaise() throws {
        let (stack, plain) = try knob(Knob.self)
        try stack.context.run { () throws in
            for key in ["level", "isOn", "angle"] {
                let error = #expect(throws: (any Error).self) {
                    try plain.setValue(checking: nil, forKey: key)
                }
                expect((error as? CocoaError)?.code.rawValue, equals: NSManagedObjectValidationError)
            }
            try plain.setValue(checking: nil, forKey: "count")
            #expect(plain.level == 3 && plain.value(forKey: "count") == nil)
        }
    }

    @Test func nilForANumberRaises() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, plain) = try NilNumbersTests().knob(Knob.self)
            try stack.context.run { () throws in plain.setValue(nil, forKey: "isOn") }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("NSInvalidArgumentException: could not set nil as the value for the key \"isOn\""))
    }
}
