// Classes that have another name in Objective-C, as the plugin states it.

@testable import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class NamedHero: NSManagedObject {}
private final class CDNamedHero__Class: NamedClass {
    override class var named: AnyClass { NamedHero.self }
}

private final class NamedShout: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { false }
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { $0 + "!" } }
}
private final class CDNamedShout__Class: NamedClass {
    override class var named: AnyClass { NamedShout.self }
}

private final class NamedPolicy: NSEntityMigrationPolicy {}
private final class CDNamedPolicy__Class: NamedClass {
    override class var named: AnyClass { NamedPolicy.self }
}

@Suite struct NamedClassTests {
    @Test func aModelStatesTheName() throws {
        let entity = NSEntityDescription("Hero", [NSAttributeDescription("name", .stringAttributeType)])
        entity.managedObjectClassName = "CDNamedHero"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            #expect(stack.context.make("Hero") is NamedHero)
            expect(NamedHero(context: stack.context).entity.name, equals: "Hero")
            expect(NamedHero.entity().name, equals: "Hero")
            expect(try stack.context.count(for: NamedHero.fetchRequest()), equals: 2)
        }
    }

    @Test func transformersAndPoliciesAreFoundByIt() throws {
        let shout = ValueTransformer(forName: NSValueTransformerName("CDNamedShout"))
        expect(shout?.transformedValue("a") as? String, equals: "a!")
        let mapping = NSEntityMapping()
        mapping.entityMigrationPolicyClassName = "CDNamedPolicy"
        #expect(try NSEntityMigrationPolicy.make(for: mapping) is NamedPolicy)
        #expect(NamedClass.find("CDNamedNobody") == nil && NamedClass.find("CDNamedNobody") == nil)
    }
}
