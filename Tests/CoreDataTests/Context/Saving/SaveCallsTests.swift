// Objects are called in a save if their class has something to say, wherever they stand among others.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

private final class Caller: NSManagedObject {
    var calls: [String] = []

    override func willSave() { calls.append("willSave") }
    override func didSave() { calls.append("didSave") }
}

@Suite struct SaveCallsTests {
    @Test func everyObjectOfAClassThatAnswersIsCalled() throws {
        let model = CompanyModel.make()
        model.entitiesByName["Note"]?.managedObjectClassName = "Caller"
        Caller.registerClass()
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            var callers: [Caller] = []
            for number in 0..<6 {
                _ = stack.context.make("Company", ["name": "C\(number)"])
                callers.append(try #require(stack.context.make("Note", ["text": "\(number)"]) as? Caller))
            }
            try stack.context.save()
            #expect(callers.allSatisfy { $0.calls == ["willSave", "didSave"] })
        }
    }

    @Test func anArrayOfWhichAllIsKeptIsTheSame() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run {
            let objects = (0..<4).map { stack.context.make("Company", ["name": "\($0)"]) }
            let all = objects.keeping { $0.isNew }
            expect(
                all.withUnsafeBufferPointer(\.baseAddress),
                equals: objects.withUnsafeBufferPointer(\.baseAddress))
            stack.context.delete(objects[1])
            expect(objects.keeping { !$0.isDeleted }, equals: [objects[0], objects[2], objects[3]])
            expect(objects.keeping { $0.isDeleted }, equals: [objects[1]])
        }
    }

    @Test func observersOfASaveAreToldOfAllThatIsNew() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run { () throws in
            let early = stack.context.make("Company", ["name": "early"])
            stack.context.processPendingChanges()
            let late = stack.context.make("Company", ["name": "late"])
            nonisolated(unsafe) var told: Set<NSManagedObject> = []
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
            ) { told = $0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] }
            defer { NotificationCenter.default.removeObserver(observer) }
            try stack.context.save()
            expect(told, equals: [early, late])
        }
    }
}
