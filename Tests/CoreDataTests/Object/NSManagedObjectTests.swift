// The methods that subclasses of managed objects override, and objects as values.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Answers for keys that the model doesn't have, and minds changes of them.
private final class Parcel: NSManagedObject {
    var others: [String: Any] = [:]
    var events: [NSSnapshotEventType] = []

    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
    override func value(forUndefinedKey key: String) -> Any? { others[key] }
    override func setValue(_ value: Any?, forUndefinedKey key: String) { others[key] = value }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }
}

@Suite struct NSManagedObjectTests {
    private func stack() throws -> TestStack {
        let model = NSManagedObjectModel()
        model.entities = ["Parcel", "Plain"].map { name in
            let (entity, label) = (NSEntityDescription(), NSAttributeDescription())
            entity.name = name
            label.name = "label"
            label.attributeType = .stringAttributeType
            entity.properties = [label]
            return entity
        }
        model.entitiesByName["Parcel"]?.managedObjectClassName = ".Parcel"
        Parcel.registerClass()
        return try TestStack(model: model)
    }

    @Test func aClassKnowsItsEntity() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            expect(Parcel.entity().name, equals: "Parcel")
            _ = Parcel(context: stack.context)
            let request: NSFetchRequest<any NSFetchRequestResult> = Parcel.fetchRequest()
            #expect(request.entityName == "Parcel" && request.predicate == nil)
            try expect(stack.context.fetch(request).count, equals: 1)
        }
    }

    @Test func objectsAreEqualToThemselvesOnly() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let (one, two) = (stack.context.make("Plain"), stack.context.make("Plain"))
            try stack.context.save()
            #expect(one.isEqual(one) && !one.isEqual(two) && !one.isEqual(nil) && !one.isEqual("one"))
            let other = stack.another()
            let twin = try other.existingObject(with: one.objectID)
            #expect(!one.isEqual(twin) && twin.objectID == one.objectID)
        }
    }

    @Test func aClassMayAnswerForOtherKeys() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let parcel = Parcel(context: stack.context)
            #expect(parcel.value(forKey: "weight") == nil)
            parcel.setValue(12, forKey: "weight")
            expect(parcel.value(forKey: "weight") as? Int, equals: 12)
            expect(parcel.value(forKeyPath: "weight") as? Int, equals: 12)
            #expect(parcel.others.count == 1 && parcel.changedValues().isEmpty)
        }
    }

    @Test func otherKeysRaiseUnlessAClassAnswersForThem() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.context.performAndWait { stack.context.make("Note").setValue(1, forUndefinedKey: "weight") }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            _ = stack.context.performAndWait {
                stack.context.make("Note").value(forUndefinedKey: "x") as? Int
            }
        }
    }

    @Test func changesOfOtherPropertiesCountIfTheClassSaysSo() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let (parcel, plain) = (Parcel(context: stack.context), stack.context.make("Plain"))
            try stack.context.save()
            for object in [parcel, plain] {
                object.willChangeValue(forKey: "weight")
                object.didChangeValue(forKey: "weight")
            }
            #expect(NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges)
            #expect(parcel.isUpdated && !plain.isUpdated && stack.context.updatedObjects == [parcel])
            #expect(parcel.changedValues().isEmpty)
            try stack.context.save()
            plain.willChangeValue(forKey: "label")
            plain.didChangeValue(forKey: "label")
            #expect(plain.isUpdated && !parcel.isUpdated)
        }
    }

    @Test func snapshotEventsSayWhatReplacedTheValues() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let parcel = Parcel(context: stack.context)
            parcel.setValue("a", forKey: "label")
            try stack.context.save()
            parcel.events = []
            stack.context.refresh(parcel, mergeChanges: false)
            #expect(parcel.events == [.refresh] && parcel.value(forKey: "label") as? String == "a")
            parcel.setValue("b", forKey: "label")
            stack.context.rollback()
            expect(parcel.events, equals: [.refresh, .rollback])
            expect(parcel.value(forKey: "label") as? String, equals: "a")
            let other = stack.another()
            try other.existingObject(with: parcel.objectID).setValue("c", forKey: "label")
            try other.save()
            parcel.setValue("d", forKey: "label")
            stack.context.mergePolicy = NSMergePolicy.rollback
            try stack.context.save()
            expect(parcel.events.last, equals: .mergePolicy)
            expect(parcel.value(forKey: "label") as? String, equals: "c")
        }
        let both = NSSnapshotEventType(rawValue: 32 | 64)
        #expect(both == [.refresh, .mergePolicy] && !both.contains(.rollback))
    }
}
