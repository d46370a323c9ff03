// Classes that a model names and that nobody registered.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

class Lighthouse: NSManagedObject {}

enum Harbour {
    class Buoy: NSManagedObject {}
    class Twin: NSManagedObject {}
}

enum Quay {
    class Twin: NSManagedObject {}
}

/// Other files' models may have a class of this name too: what they see comes first.
private class Ferry: NSManagedObject {}

@Suite struct ObjectClassesTests {
    private func model(_ classes: [String: String]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = classes.sorted { $0.key < $1.key }.map { name, className in
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = className
            let title = NSAttributeDescription()
            title.name = "title"
            title.attributeType = .stringAttributeType
            entity.properties = [title]
            return entity
        }
        return model
    }

    private func warnings(_ body: () throws -> Void) rethrows -> [String] {
        let said = Mutex<[String]>([])
        try Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) { try body() }
        return said.withLock { $0 }
    }

    @Test(arguments: ["Lighthouse", ".Lighthouse", "CoreDataTests.Lighthouse"])
    func aClassIsFoundByItsNameAlone(className: String) throws {
        let stack = try TestStack(model: model(["Lighthouse": className]))
        let warnings = try warnings {
            try stack.context.run { () throws in
                #expect(stack.context.make("Lighthouse") is Lighthouse)
                try stack.context.save()
                stack.context.reset()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Lighthouse")
                #expect(try stack.context.fetch(request).first is Lighthouse)
            }
        }
        #expect(warnings.isEmpty)
    }

    @Test(arguments: ["Buoy", "CoreDataTests.Harbour.Buoy"])
    func aClassInAnotherTypeIsFound(className: String) throws {
        let stack = try TestStack(model: model(["Buoy": className]))
        try stack.context.run { () throws in #expect(stack.context.make("Buoy") is Harbour.Buoy) }
    }

    @Test func aPrivateClassIsFoundWhereNoOtherHasTheName() throws {
        let stack = try TestStack(model: model(["Ferry": "Ferry"]))
        try stack.context.run { () throws in #expect(stack.context.make("Ferry") is Ferry) }
    }

    @Test func aNameWithAnotherModuleIsNoOthers() throws {
        let stack = try TestStack(model: model(["Buoy": "Shipyard.Buoy"]))
        try stack.context.run { () throws in
            #expect(type(of: stack.context.make("Buoy")) == NSManagedObject.self)
        }
    }

    @Test func aMissingClassIsLoggedOnceWithWhatToDo() throws {
        let stack = try TestStack(model: model(["Wreck": "Wreck"]))
        let warnings = try warnings {
            try stack.context.run { () throws in
                for _ in 0..<3 { #expect(type(of: stack.context.make("Wreck")) == NSManagedObject.self) }
                try stack.context.save()
                try expect(stack.context.all("Wreck").count, equals: 3)
            }
        }
        expect(warnings.count, equals: 1)
        #expect(
            warnings.first?.contains("registerClass") == true && warnings.first?.contains("\"Wreck\"") == true
        )
    }

    @Test func ofSeveralClassesNoneIsTakenUnlessOneIsUsed() throws {
        let stack = try TestStack(model: model(["Twin": "Twin"]))
        let warnings = try warnings {
            try stack.context.run { () throws in
                #expect(type(of: stack.context.make("Twin")) == NSManagedObject.self)
            }
        }
        expect(warnings.count, equals: 1)
        #expect(
            warnings.first?.contains("CoreDataTests.Harbour.Twin") == true
                && warnings.first?.contains("CoreDataTests.Quay.Twin") == true)
        let other = try TestStack(model: model(["Twin": "Twin"]))
        let quiet = try self.warnings {
            try other.context.run { () throws in
                expect(Quay.Twin(context: other.context).entity.name, equals: "Twin")
                #expect(other.context.make("Twin") is Quay.Twin)
            }
        }
        #expect(quiet.isEmpty)
    }

    @Test func aClassesNameWithItsModuleNamesTheEntity() throws {
        let stack = try TestStack(model: model(["Lighthouse": "Lighthouse"]))
        let name = NSStringFromClass(Lighthouse.self)
        expect(name, equals: "CoreDataTests.Lighthouse")
        try stack.context.run { () throws in
            expect(
                NSEntityDescription.entity(forEntityName: name, in: stack.context)?.name, equals: "Lighthouse"
            )
            #expect(
                NSEntityDescription.insertNewObject(forEntityName: name, into: stack.context) is Lighthouse)
            try stack.context.save()
            try expect(stack.context.fetch(NSFetchRequest<Lighthouse>(entityName: name)).count, equals: 1)
            try expect(stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: name)), equals: 1)
            #expect(
                NSEntityDescription.entity(forEntityName: "CoreDataTests.Nothing", in: stack.context) == nil)
        }
    }
}
