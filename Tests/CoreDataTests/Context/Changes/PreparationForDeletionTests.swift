// An object that is told of its deletion: it counts as deleted already, and its relationships are there.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A note that takes its author with it once no other note of the author's is left, and writes down what it sees.
final class LastNote: NSManagedObject {
    var seen: [String] = []
    var work: (LastNote) throws -> Void = { _ in }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        let author = value(forKey: "author") as? NSManagedObject
        let notes = (author?.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        let isListed = managedObjectContext?.deletedObjects.contains(self) ?? false
        seen.append("\(isDeleted) \(isListed) \(notes.count) \(notes.filter { !$0.isDeleted }.count)")
        if let author, !author.isDeleted, !notes.contains(where: { !$0.isDeleted }) {
            managedObjectContext?.delete(author)
        }
        do { try work(self) } catch { seen.append("\(error)") }
    }
}

@Suite struct PreparationForDeletionTests {
    private func stack() throws -> (TestStack, NSManagedObject, [LastNote]) {
        let model = CompanyModel.make()
        model.entitiesByName["Note"]?.managedObjectClassName = "CoreDataTests.LastNote"
        let stack = try TestStack(model: model)
        let context = stack.context
        return try context.run { () throws in
            let author = context.make("Person", ["name": "Ada"])
            let notes = ["a", "b"].compactMap {
                context.make("Note", ["text": $0, "author": author]) as? LastNote
            }
            try context.save()
            return (stack, author, notes)
        }
    }

    @Test func theObjectCountsAsDeleted() throws {
        let (stack, author, notes) = try stack()
        try stack.context.run { () throws in
            stack.context.delete(notes[0])
            expect(notes[0].seen, equals: ["true true 2 1"])
            #expect(!author.isDeleted)
            stack.context.processPendingChanges()
            stack.context.delete(notes[1])
            expect(notes[1].seen, equals: ["true true 1 0"])
            #expect(author.isDeleted)
            try stack.context.save()
            #expect(author.managedObjectContext == nil)
        }
    }

    @Test func cascadesCountAsDeleted() throws {
        let (stack, author, notes) = try stack()
        try stack.context.run { () throws in
            stack.context.delete(author)
            try stack.context.save()
            expect(notes.map { $0.seen.first ?? "" }, equals: ["true true 2 1", "true true 2 0"])
        }
    }

    /// With another deletion pending whose rules the fetch applies.
    @Test func aFetchLeavesTheRelationshipsThatItPrepares() throws {
        let (stack, author, notes) = try stack()
        try stack.context.run { () throws in
            _ = stack.context.make("Note", ["text": "c", "author": author])
            notes[1].work = { note in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
                let count = try note.managedObjectContext?.count(for: request) ?? -1
                let members = (author.value(forKey: "notes") as? NSOrderedSet)?.array ?? []
                note.seen.append("\(count) left, \(members.count) of the author's")
            }
            stack.context.delete(notes[0])
            stack.context.delete(notes[1])
            expect(notes[1].seen, equals: ["true true 3 1", "1 left, 2 of the author's"])
            stack.context.processPendingChanges()
            expect((author.value(forKey: "notes") as? NSOrderedSet)?.count, equals: 1)
            try stack.context.save()
        }
    }

    @Test func changesWhilePreparingAreTakenBackByARollback() throws {
        let (stack, author, notes) = try stack()
        try stack.context.run { () throws in
            let name = { (note: NSManagedObject) in note.value(forKey: "author") as? NSManagedObject }
            notes[0].work = { note in
                note.setValue("gone", forKey: "text")
                note.setValue(nil, forKey: "author")
                author.setValue("Bob", forKey: "name")
            }
            stack.context.delete(notes[0])
            expect((author.value(forKey: "notes") as? NSOrderedSet)?.array as? [LastNote], equals: [notes[1]])
            stack.context.rollback()
            #expect(!notes[0].isDeleted && name(notes[0]) === author)
            expect(notes[0].value(forKey: "text") as? String, equals: "a")
            expect(author.value(forKey: "name") as? String, equals: "Ada")
            stack.context.delete(notes[0])
            try stack.context.save()
            try expect(stack.context.all("Note").count, equals: 1)
            expect(author.value(forKey: "name") as? String, equals: "Bob")
        }
    }

    @Test func undoBringsTheObjectBack() throws {
        let (stack, author, notes) = try stack()
        try stack.context.run { () throws in
            stack.context.undoManager = UndoManager()
            for note in notes { stack.context.delete(note) }
            stack.context.processPendingChanges()
            #expect(author.isDeleted)
            stack.context.undo()
            #expect(!author.isDeleted && notes.allSatisfy { !$0.isDeleted })
            expect((author.value(forKey: "notes") as? NSOrderedSet)?.count, equals: 2)
            try stack.context.save()
        }
    }
}
