// Facts about faults and refreshes that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct FaultingPitfalls {
    /// A stack with one saved note, which writes down its calls.
    private func with(_ body: (TestStack, Diary) throws -> Void) throws {
        let stack = try Diary.stack()
        try stack.context.run { () throws in
            let note = try #require(stack.context.make("Note", ["text": "a"]) as? Diary)
            try stack.context.save()
            note.calls = []
            try body(stack, note)
        }
    }

    /// Changes the only note behind the back of the stack's context.
    private func changeElsewhere(_ stack: TestStack, _ text: String) throws {
        let other = stack.another()
        try other.run { () throws in
            try other.all("Note")[0].setValue(text, forKey: "text")
            try other.save()
        }
    }

    @Test func refreshWithoutMergingMakesAFaultAndDropsEdits() throws {
        try with { stack, note in
            note["text"] = "edited"
            stack.context.refresh(note, mergeChanges: false)
            #expect(note.isFault && note.faultingState != 0 && !stack.context.hasChanges)
            expect(note.calls.filter { $0.hasSuffix("Fault") }, equals: ["willFault", "didFault"])
            #expect(note.text("text") == "a" && !note.isFault)
        }
    }

    @Test func refreshWithMergingKeepsEditsAndMakesNoFaultOfAChangedObject() throws {
        try with { stack, note in
            note["text"] = "edited"
            try changeElsewhere(stack, "elsewhere")
            stack.context.refresh(note, mergeChanges: true)
            #expect(!note.isFault && note.text("text") == "edited" && note.isUpdated)
            expect(note.committedValues(forKeys: ["text"])["text"] as? String, equals: "elsewhere")
            #expect(!note.calls.contains("willFault"))
        }
    }

    @Test func refreshAllObjectsKeepsChangedObjectsFilled() throws {
        try with { stack, note in
            let clean = stack.context.make("Person", ["name": "Ada"])
            try stack.context.save()
            note["text"] = "edited"
            stack.context.refreshAllObjects()
            #expect(clean.isFault && !note.isFault && note.text("text") == "edited")
        }
    }

    @Test func valuesThatWereReadStayUntilARefresh() throws {
        try with { stack, note in
            try changeElsewhere(stack, "elsewhere")
            expect(note.text("text"), equals: "a")
            #expect(try stack.context.all("Note").first === note && note.text("text") == "a")
            stack.context.refresh(note, mergeChanges: false)
            expect(note.text("text"), equals: "elsewhere")
        }
    }

    /// Apple's shows the old value here until `stalenessInterval` is 0: there is no row cache to be stale
    /// (Docs/Deviations.md).
    @Test func afterABatchUpdateARefreshShowsTheNewRow() throws {
        try with { stack, note in
            try stack.context.batchUpdate("Note", nil, ["text": "batch"])
            expect(note.text("text"), equals: "a")
            stack.context.refresh(note, mergeChanges: true)
            expect(note.text("text"), equals: "batch")
        }
    }

    /// Apple's leaves objects that have their values as they are (Docs/Deviations.md).
    @Test func refetchedObjectsAreRefreshedIfTheRequestSaysSo() throws {
        try with { stack, note in
            try changeElsewhere(stack, "elsewhere")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.shouldRefreshRefetchedObjects = true
            #expect(try stack.context.fetch(request).first === note)
            expect(note.text("text"), equals: "elsewhere")
        }
    }

    @Test func transientValuesSurviveASaveButNotARefresh() throws {
        try with { stack, _ in
            let person = stack.context.make("Person", ["scratch": "mine"])
            try stack.context.save()
            expect(person.text("scratch"), equals: "mine")
            stack.context.refresh(person, mergeChanges: false)
            #expect(person["scratch"] == nil)
        }
    }

    @Test func objectsFetchedWithoutFaultsAreFilledAlsoAmongPendingInserts() throws {
        try with { stack, note in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.returnsObjectsAsFaults = false
            stack.context.refresh(note, mergeChanges: false)
            let new = stack.context.make("Note", ["text": "b"])
            let found = try stack.context.fetch(request)
            #expect(Set(found) == [note, new] && found.allSatisfy { !$0.isFault })
        }
    }

    @Test func existingObjectGivesTheRegisteredOneElseAFilledOneElseThrows() throws {
        try with { stack, note in
            #expect(try stack.context.existingObject(with: note.objectID) === note)
            let other = stack.another()
            try other.run { () throws in
                let same = try other.existingObject(with: note.objectID)
                #expect(!same.isFault && same.text("text") == "a")
                other.delete(same)
                try other.save()
            }
            stack.context.reset()
            let error = #expect(throws: NSError.self) {
                try stack.context.existingObject(with: note.objectID)
            }
            expect(error?.domain, equals: NSCocoaErrorDomain)
            expect(error?.code, equals: NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test func willAccessValueWithoutAKeyFiresTheFault() throws {
        try with { stack, note in
            stack.context.refresh(note, mergeChanges: false)
            note.willAccessValue(forKey: nil)
            #expect(!note.isFault && note.calls.last == "fetch")
            note.didAccessValue(forKey: nil)
        }
    }

    @Test func readingIDStateOrEntityFiresNoFault() throws {
        try with { stack, note in
            stack.context.refresh(note, mergeChanges: false)
            _ = (
                note.objectID, note.entity, note.isDeleted, note.isUpdated, note.hasChanges, note.description
            )
            _ = (
                note.hash, note == note, note.managedObjectContext,
                note.hasFault(forRelationshipNamed: "author")
            )
            #expect(note.isFault && !note.calls.contains("fetch"))
        }
    }

    @Test func hasFaultForRelationshipReadsNothing() throws {
        try with { stack, note in
            let person = stack.context.make("Person", ["name": "Ada"])
            note["author"] = person
            try stack.context.save()
            stack.context.refresh(person, mergeChanges: false)
            try stack.expectSelects(0) { #expect(person.hasFault(forRelationshipNamed: "notes")) }
            _ = person.value(forKey: "notes")
            #expect(!person.hasFault(forRelationshipNamed: "notes"))
        }
    }

    @Test func aFaultWithoutARowShowsNilAndCountsAsDeleted() throws {
        try with { stack, note in
            stack.context.refresh(note, mergeChanges: false)
            let other = stack.another()
            try other.run { () throws in
                other.delete(try other.all("Note")[0])
                try other.save()
            }
            #expect(note["text"] == nil && note.isDeleted && !note.isFault)
        }
    }
}
