// A small graph that two contexts change.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Two contexts on one store; `mine` saves last.
final class RivalGraph {
    let stack: TestStack
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext

    convenience init(
        _ store: RivalStore, _ policy: NSMergePolicy, rule: NSDeleteRule = .nullifyDeleteRule,
        _ entities: [String]
    ) throws {
        try self.init(type: store.type, policy, rule: rule, entities)
    }

    init(
        type: String, _ policy: NSMergePolicy, rule: NSDeleteRule = .nullifyDeleteRule, _ entities: [String]
    ) throws {
        stack = try TestStack(type: type, model: RivalGraphModel.make { rule })
        (mine, theirs) = (stack.another(), stack.another())
        for (number, entity) in entities.enumerated() {
            _ = stack.context.make(entity, ["name": "\(entity)\(number)", "number": number])
        }
        mine.mergePolicy = policy
        try stack.context.save()
    }

    /// Saves changes of theirs, which mine merges.
    func mergeChangesOfTheirs() throws {
        let posted = Posted(.NSManagedObjectContextDidSave, theirs)
        try theirs.save()
        mine.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: theirs, userInfo: posted.userInfo))
    }

    /// The object with a number, with its values.
    func object(_ number: Int, in context: NSManagedObjectContext) throws -> NSManagedObject {
        for entity in RivalGraphModel.entities {
            let found = try context.all(entity, "number == \(number)")
            for object in found where !object.isDeleted {
                _ = object.value(forKey: "name")
                return object
            }
        }
        throw CocoaError(.keyValueValidation)
    }

    func objects(in context: NSManagedObjectContext, _ count: Int) throws -> [NSManagedObject] {
        try (0..<count).map { try object($0, in: context) }
    }

    /// The numbers of the objects to which a relationship leads, in a context that knows nothing yet.
    func stored(_ number: Int, _ relationship: String) throws -> [Int] {
        let fresh = stack.another()
        return try numbers(object(number, in: fresh), relationship)
    }

    func numbers(_ object: NSManagedObject, _ relationship: String) -> [Int] {
        let others: [Any]
        switch object.value(forKey: relationship) {
        case let set as NSOrderedSet: others = set.array
        case let set as NSSet: others = set.allObjects
        case let other?: others = [other]
        case nil: others = []
        }
        let numbers = others.map { ($0 as? NSManagedObject)?.value(forKey: "number") as? Int ?? -1 }
        return object.entity.relationshipsByName[relationship]?.isOrdered == true
            ? numbers : numbers.sorted()
    }

    /// Nothing in the store contradicts itself.
    func check() throws {
        let fresh = stack.another()
        let model = stack.coordinator.managedObjectModel
        expect(try model.contradictions(in: fresh.graphState()), equals: [])
        let store = stack.coordinator.persistentStores[0]
        if store.type == NSSQLiteStoreType {
            expect(try stack.coordinator.verify(store).filter(\.isHarmful).map(\.check), equals: [])
        }
    }
}
