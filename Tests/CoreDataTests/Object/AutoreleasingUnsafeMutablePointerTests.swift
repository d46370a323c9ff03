import CoreData
import CoreDataTestSupport
import Testing

/// A class whose validator is spelled as on Apple's systems.
private final class Ribbon: NSManagedObject {
    func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let title = value.pointee as? String else { return }
        if title == "bad" { throw NSError(domain: "Ribbon", code: 7) }
        if title == "long" { value.pointee = "short" as NSString }
        if title == "none" { value.pointee = nil }
    }

    func validateSize(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        if let size = value.pointee as? NSNumber, size.intValue > 9 { value.pointee = NSNumber(value: 9) }
    }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.validator("title") { (ribbon: Ribbon, value: AutoreleasingUnsafeMutablePointer<AnyObject?>) in
            try ribbon.validateTitle(value)
        }
        keys.validator("size") { (ribbon: Ribbon, value: AutoreleasingUnsafeMutablePointer<AnyObject?>) in
            try ribbon.validateSize(value)
        }
    }
}

@Suite struct AutoreleasingUnsafeMutablePointerTests {
    @Test func validatorsWithApplesSpellingReadReplaceAndRefuse() throws {
        let entity = NSEntityDescription()
        entity.name = "Ribbon"
        entity.managedObjectClassName = ".Ribbon"
        let (title, size) = (NSAttributeDescription(), NSAttributeDescription())
        (title.name, size.name) = ("title", "size")
        (title.attributeType, size.attributeType) = (.stringAttributeType, .integer16AttributeType)
        entity.properties = [title, size]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        Ribbon.registerClass()
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let ribbon = try #require(stack.context.make("Ribbon") as? Ribbon)
            for (given, kept) in [("fine", "fine"), ("long", "short"), ("none", nil)] as [(String, String?)] {
                ribbon.setValue(given, forKey: "title")
                ribbon.setValue(20, forKey: "size")
                try stack.context.save()
                expect(ribbon.value(forKey: "title") as? String, equals: kept)
                expect(ribbon.value(forKey: "size") as? Int, equals: 9)
            }
            ribbon.setValue("bad", forKey: "title")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(error?.domain == "Ribbon" && error?.code == 7)
            // A value is given as Apple's method takes it.
            var value: AnyObject? = "long" as NSString
            try ribbon.validateValue(&value, forKey: "title")
            expect(value as? String, equals: "short")
            value = "bad" as NSString
            #expect(throws: NSError.self) { try ribbon.validateValue(&value, forKey: "title") }
            expect(value as? String, equals: "bad")
        }
    }
}
