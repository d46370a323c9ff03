// Two contexts that change the same object.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The stores whose saves meet conflicts by themselves.
enum RivalStore: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, memory

    var type: String { self == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType }
    var testDescription: String { rawValue }
}

/// A saved person as two contexts see it: `mine` is saved last.
final class Rivals {
    let stack: TestStack
    let context: NSManagedObjectContext
    let other: NSManagedObjectContext
    let mine: NSManagedObject
    let theirs: NSManagedObject

    init(
        _ store: RivalStore, _ policy: NSMergePolicy, model: NSManagedObjectModel = CompanyModel.make(),
        _ values: [String: Any] = ["name": "Ada", "age": 30, "height": 1.5]
    ) throws {
        stack = try TestStack(type: store.type, model: model)
        (context, other) = (stack.context, stack.another())
        mine = context.make("Person", values)
        try context.save()
        context.mergePolicy = policy
        theirs = try other.existingObject(with: mine.objectID)
        _ = theirs.value(forKey: "name")
    }

    /// A new object in `context`, with its twin in `other`.
    func pair(_ entity: String, _ values: [String: Any]) throws -> (NSManagedObject, NSManagedObject) {
        let object = context.make(entity, values)
        try context.save()
        return (object, try other.existingObject(with: object.objectID))
    }

    /// The twin of an object in a context that knows nothing yet.
    func stored(_ object: NSManagedObject) throws -> NSManagedObject {
        try stack.another().keeping(object.objectID)
    }
}

extension NSManagedObjectContext {
    /// An object that keeps its context alive through `userInfo` of nothing else: the context is retained by it.
    func keeping(_ id: NSManagedObjectID) throws -> NSManagedObject {
        let object = try existingObject(with: id)
        Self.kept.append(self)
        return object
    }

    nonisolated(unsafe) private static var kept: [NSManagedObjectContext] = []
}

/// The error that a closure throws.
func thrownError(_ body: () throws -> Void) -> NSError? {
    do {
        try body()
        return nil
    } catch {
        return error as NSError
    }
}
