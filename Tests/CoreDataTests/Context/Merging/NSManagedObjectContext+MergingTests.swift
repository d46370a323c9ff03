import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The types of all kinds of stores.
private let types: [String] = {
    StoreKind.register()
    return StoreKind.allCases.map(\.type)
}()
private let forms: [Notification.Name] = [
    .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
]

@Suite struct MergingTests {
    @Test(arguments: types, forms) func updatesAppearAsRefreshed(_ type: String, _ form: Notification.Name)
        throws
    {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let ada = pair.mine.make("Person", ["name": "Ada", "age": 1])
            try pair.mine.save()
            let note = try pair.saving(form) { try $0.all("Person")[0].setValue("Eve", forKey: "name") }
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, pair.mine)
            pair.mine.mergeChanges(fromContextDidSave: note)
            #expect(!ada.isFault && ada.text("name") == "Eve" && !pair.mine.hasChanges)
            #expect(changed.all.count == 1 && changed.objects(NSRefreshedObjectsKey) == [ada])
            #expect(changed.objects(NSUpdatedObjectsKey) == nil)
            ada.setValue(2, forKey: "age")
            try pair.mine.save()
        }
    }

    @Test(arguments: types, forms) func insertsAppearAsInsertedFaults(
        _ type: String, _ form: Notification.Name
    ) throws {
        let pair = try MergingPair(type)
        let note = try pair.saving(form) { _ = $0.make("Person", ["name": "Ada"]) }
        try pair.mine.run { () throws in
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, pair.mine)
            pair.mine.mergeChanges(fromContextDidSave: note)
            let inserted = try #require(changed.objects(NSInsertedObjectsKey)?.first)
            #expect(inserted.isFault && !inserted.isInserted && inserted.managedObjectContext === pair.mine)
            #expect(!pair.mine.hasChanges && inserted.text("name") == "Ada")
            try expect(pair.mine.all("Person"), equals: [inserted])
        }
    }

    @Test(arguments: types, forms) func deletedObjectsKeepTheirValuesUntilTheSave(
        _ type: String, _ form: Notification.Name
    ) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let mine = pair.mine
            let (ada, eve) = (mine.make("Person", ["name": "Ada"]), mine.make("Person", ["name": "Eve"]))
            try mine.save()
            let note = try pair.saving(form) { $0.delete(try $0.all("Person", "name == 'Ada'")[0]) }
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, mine)
            mine.mergeChanges(fromContextDidSave: note)
            expect(changed.objects(NSDeletedObjectsKey), equals: [ada])
            #expect(ada.isDeleted && !ada.isFault && ada.text("name") == "Ada")
            #expect(mine.deletedObjects == [ada] && mine.hasChanges)
            #expect(mine.registeredObject(for: ada.objectID) === ada)
            try expect(mine.all("Person"), equals: [eve])
            eve.setValue("Eva", forKey: "name")
            try mine.save()
            #expect(!ada.isDeleted && ada.managedObjectContext == nil && !mine.hasChanges)
            expect(mine.registeredObjects, equals: [eve])
        }
    }

    @Test(arguments: types) func deletionsAreAllThatASaveHasToForget(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let ada = pair.mine.make("Person", ["name": "Ada"])
            try pair.mine.save()
            ada.setValue("local", forKey: "name")
            let note = try pair.saving { $0.delete(try $0.all("Person")[0]) }
            pair.mine.mergeChanges(fromContextDidSave: note)
            #expect(ada.isDeleted && ada.text("name") == "local")
            let saved = Posted(.NSManagedObjectContextDidSave, pair.mine)
            try pair.mine.save()
            #expect(saved.all.count == 1 && saved.objects(NSDeletedObjectsKey) == nil)
            #expect(pair.mine.deletedObjects.isEmpty && !pair.mine.hasChanges)
        }
    }

    @Test func rollbackAndResetAfterADeletionElsewhere() throws {
        let pair = try MergingPair(NSSQLiteStoreType)
        try pair.mine.run { () throws in
            let mine = pair.mine
            let (ada, eve) = (mine.make("Person", ["name": "Ada"]), mine.make("Person", ["name": "Eve"]))
            try mine.save()
            let note = try pair.saving { $0.delete(try $0.all("Person", "name == 'Ada'")[0]) }
            mine.mergeChanges(fromContextDidSave: note)
            eve.setValue("x", forKey: "name")
            mine.rollback()
            #expect(ada.isDeleted && mine.deletedObjects == [ada] && eve.text("name") == "Eve")
            mine.reset()
            #expect(!mine.hasChanges && mine.deletedObjects.isEmpty && ada.managedObjectContext == nil)
        }
    }

    @Test(arguments: types) func aDeletionOnBothSidesIsNoConflict(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let ada = pair.mine.make("Person", ["name": "Ada"])
            try pair.mine.save()
            pair.mine.delete(ada)
            pair.mine.processPendingChanges()
            let note = try pair.saving { $0.delete(try $0.all("Person")[0]) }
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, pair.mine)
            pair.mine.mergeChanges(fromContextDidSave: note)
            #expect(changed.all.isEmpty)
            try pair.mine.save()
            #expect(try pair.mine.all("Person").isEmpty)
        }
    }

    @Test(arguments: types) func whatTheContextDoesNotHoldPostsNothing(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            for name in ["Ada", "Eve", "Joe"] { _ = pair.mine.make("Person", ["name": name]) }
            try pair.mine.save()
            #expect(pair.mine.registeredObjects.isEmpty)
            let faults = try pair.mine.all("Person", "name == 'Ada'")
            let note = try pair.saving {
                for person in try $0.all("Person") {
                    person.setValue(person.text("name") == "Ada" ? "A" : "B", forKey: "name")
                }
                $0.delete(try $0.all("Person", "name == 'B'")[0])
            }
            #expect(faults[0].isFault)
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, pair.mine)
            let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, pair.mine)
            pair.mine.mergeChanges(fromContextDidSave: note)
            #expect(changed.all.isEmpty && merged.all.count == 1 && !pair.mine.hasChanges)
            #expect(faults[0].isFault && faults[0].text("name") == "A")
        }
    }

    @Test(arguments: types) func localChangesAreKeptPropertyByProperty(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let ada = pair.mine.make("Person", ["name": "Ada", "age": 1, "height": 1.5])
            try pair.mine.save()
            ada.setValue("mine", forKey: "name")
            ada.setValue("kept", forKey: "scratch")
            let note = try pair.saving {
                try $0.all("Person")[0].setValuesForKeys(["name": "theirs", "age": 2])
            }
            pair.mine.mergeChanges(fromContextDidSave: note)
            #expect(ada.text("name") == "mine" && ada.value(forKey: "age") as? Int == 2 && ada.isUpdated)
            expect(ada.text("scratch"), equals: "kept")
            expect(Set(ada.changedValues().keys), equals: ["name", "scratch"])
            expect(ada.committedValues(forKeys: ["name"])["name"] as? String, equals: "theirs")
            try pair.mine.save()
            let fresh = pair.stack.another()
            try fresh.run { () throws in
                let saved = try fresh.all("Person")[0]
                #expect(saved.text("name") == "mine" && saved.value(forKey: "age") as? Int == 2)
            }
        }
    }

    @Test(arguments: types) func aLocalDeletionSurvivesAnUpdateElsewhere(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let ada = pair.mine.make("Person", ["name": "Ada"])
            try pair.mine.save()
            pair.mine.delete(ada)
            let note = try pair.saving { try $0.all("Person")[0].setValue("x", forKey: "name") }
            pair.mine.mergeChanges(fromContextDidSave: note)
            #expect(ada.isDeleted)
            try pair.mine.save()
            #expect(try pair.mine.all("Person").isEmpty)
        }
    }

    @Test(arguments: types) func readRelationshipsAreReadAgain(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let mine = pair.mine
            let acme = mine.make("Company", ["name": "Acme"])
            let zeta = mine.make("Company", ["name": "Zeta"])
            let ada = mine.make("Person", ["name": "Ada", "company": acme])
            let eve = mine.make("Person", ["name": "Eve", "company": acme])
            try mine.save()
            let own = mine.make("Person", ["name": "own", "company": acme])
            expect(acme.relatedObjects(forKey: "people", as: NSManagedObject.self), equals: [ada, eve, own])
            let note = try pair.saving {
                let zeta = try $0.all("Company", "name == 'Zeta'")[0]
                try $0.all("Person", "name == 'Ada'")[0].setValue(zeta, forKey: "company")
                $0.delete(try $0.all("Person", "name == 'Eve'")[0])
                _ = $0.make("Person", ["name": "Joe", "company": try $0.all("Company", "name == 'Acme'")[0]])
            }
            mine.mergeChanges(fromContextDidSave: note)
            #expect(ada.value(forKey: "company") as? NSManagedObject === zeta)
            expect(zeta.relatedObjects(forKey: "people", as: NSManagedObject.self), equals: [ada])
            expect(acme.value(forKeyPath: "people.name") as? Set<String>, equals: ["Joe", "own"])
            try mine.save()
            expect(acme.value(forKeyPath: "people.name") as? Set<String>, equals: ["Joe", "own"])
        }
    }

    @Test func anOrderedSetThatAClientHoldsFollows() throws {
        let pair = try MergingPair(NSSQLiteStoreType)
        try pair.mine.run { () throws in
            let ada = pair.mine.make("Person", ["name": "Ada"])
            let notes = ["1", "2"].map { pair.mine.make("Note", ["text": $0, "author": ada]) }
            try pair.mine.save()
            let set = ada.mutableOrderedSetValue(forKey: "notes")
            expect(set.count, equals: 2)
            let note = try pair.saving { $0.delete(try $0.all("Note", "text == '1'")[0]) }
            pair.mine.mergeChanges(fromContextDidSave: note)
            expect(set.array as? [NSManagedObject], equals: [notes[1]])
            let third = pair.mine.make("Note", ["text": "3"])
            set.add(third)
            expect(
                (ada.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject],
                equals: [
                    notes[1], third,
                ])
            try pair.mine.save()
        }
    }

    @Test(arguments: types) func aBatchDeletionLeavesReadRelationships(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let acme = pair.mine.make("Company", ["name": "Acme"])
            let ada = pair.mine.make("Person", ["name": "Ada", "company": acme])
            try pair.mine.save()
            expect(acme.relatedObjects(forKey: "people", as: NSManagedObject.self), equals: [ada])
            // As a batch deletion reports it: the company isn't among the updated objects.
            _ = try pair.saving { $0.delete(try $0.all("Person")[0]) }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [ada.objectID]], into: [pair.mine])
            #expect(acme.relatedObjects(forKey: "people", as: NSManagedObject.self).isEmpty)
            #expect(ada.isDeleted && !acme.hasChanges)
        }
    }

    @Test(arguments: types) func mergesAreReportedWithIDs(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let mine = pair.mine
            let held = ["a", "b", "c"].map { mine.make("Person", ["name": $0]) }
            try mine.save()
            let note = try pair.saving {
                for person in try $0.all("Person") where person.text("name") != "c" {
                    person.setValue(person.text("name")?.uppercased(), forKey: "name")
                }
                $0.delete(try $0.all("Person", "name == 'c'")[0])
                _ = $0.make("Person", ["name": "d"])
            }
            let order = PostedOrder(
                [.NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs],
                mine)
            let merged = Posted(NSManagedObjectContext.didMergeChangesObjectIDsNotification, mine)
            mine.mergeChanges(fromContextDidSave: note)
            let ids = { (key: NSManagedObjectContext.NotificationKey) in
                merged.userInfo?[key.rawValue] as? Set<NSManagedObjectID>
            }
            let changed = Set(held[0...1].map(\.objectID))
            expect(ids(.insertedObjectIDs)?.count, equals: 1)
            #expect(ids(.updatedObjectIDs) == changed && ids(.refreshedObjectIDs) == changed)
            expect(ids(.deletedObjectIDs), equals: [held[2].objectID])
            expect(
                order.names,
                equals: [
                    .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs,
                ])
        }
    }

    @Test func theOwnSaveIsNotMerged() throws {
        let pair = try MergingPair(NSSQLiteStoreType)
        try pair.mine.run { () throws in
            let saved = Posted(.NSManagedObjectContextDidSave, pair.mine)
            _ = pair.mine.make("Person")
            try pair.mine.save()
            let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, pair.mine)
            pair.mine.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: pair.mine, userInfo: saved.userInfo))
            #expect(merged.all.isEmpty)
        }
    }

    @Test func aMergeCostsByTheChange() throws {
        let pair = try MergingPair(NSSQLiteStoreType)
        try pair.mine.run { () throws in
            let people = (0..<2000).map { pair.mine.make("Person", ["visits": $0]) }
            try pair.mine.save()
            let note = try pair.saving {
                for person in try $0.all("Person", "visits < 100") { person.setValue(5000, forKey: "visits") }
            }
            try pair.stack.expectSelects(1) { pair.mine.mergeChanges(fromContextDidSave: note) }
            expect(people.filter { $0.value(forKey: "visits") as? Int == 5000 }.count, equals: 100)
        }
    }

    @Test func refreshedObjectsAreTold() throws {
        let stack = try Diary.stack()
        let other = stack.another()
        try stack.context.run { () throws in
            let note = try #require(stack.context.make("Note", ["text": "a"]) as? Diary)
            try stack.context.save()
            note.calls = []
            let posted = Posted(.NSManagedObjectContextDidSave, other)
            try other.run { () throws in
                try other.all("Note")[0].setValue("b", forKey: "text")
                try other.save()
            }
            stack.context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: other, userInfo: posted.userInfo))
            #expect(note.calls == ["snapshot 32"] && note.text("text") == "b")
        }
    }

    @Test func refreshedChangesOfMembersReachTheStoreOnce() throws {
        let pair = try MergingPair(NSSQLiteStoreType)
        try pair.mine.run { () throws in
            let mine = pair.mine
            let project = mine.make("Project", ["title": "p"])
            let ada = mine.make("Person", ["name": "Ada"])
            try mine.save()
            ada.mutableSetValue(forKey: "projects").add(project)
            // The same membership, saved by the other context first.
            let note = try pair.saving {
                let theirs = try $0.all("Person")[0]
                theirs.mutableSetValue(forKey: "projects").add(try $0.all("Project")[0])
            }
            mine.mergeChanges(fromContextDidSave: note)
            expect(ada.relatedObjects(forKey: "projects", as: NSManagedObject.self), equals: [project])
            try mine.save()
            mine.refreshAllObjects()
            expect(ada.relatedObjects(forKey: "projects", as: NSManagedObject.self), equals: [project])
            expect(project.relatedObjects(forKey: "members", as: NSManagedObject.self), equals: [ada])
        }
    }

    @Test(arguments: types) func membersDeletedElsewhereAreNotJoined(_ type: String) throws {
        let pair = try MergingPair(type)
        try pair.mine.run { () throws in
            let mine = pair.mine
            let project = mine.make("Project", ["title": "p"])
            let ada = mine.make("Person", ["name": "Ada"])
            try mine.save()
            ada.mutableSetValue(forKey: "projects").add(project)
            let note = try pair.saving { $0.delete(try $0.all("Project")[0]) }
            mine.mergeChanges(fromContextDidSave: note)
            try mine.save()
            mine.refresh(ada, mergeChanges: false)
            #expect(ada.relatedObjects(forKey: "projects", as: NSManagedObject.self).isEmpty)
        }
        if type == NSSQLiteStoreType {
            let tables = try RawDatabase(pair.stack.url).rows(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
            for case let table? in tables.compactMap(\.first) {
                let count = try RawDatabase(pair.stack.url).rows("SELECT COUNT(*) FROM \(table)")
                expect(count, equals: [["0"]], "\(table)")
            }
        }
    }

    @Test func aMergeOnAnotherThreadWaitsForTheQueue() throws {
        let pair = try MergingPair(NSSQLiteStoreType)
        let ada = try pair.mine.run { () throws in
            let ada = pair.mine.make("Person", ["name": "Ada"])
            try pair.mine.save()
            return ada
        }
        let note = try pair.saving { try $0.all("Person")[0].setValue("Eve", forKey: "name") }
        pair.mine.mergeChanges(fromContextDidSave: note)
        pair.mine.performAndWait { expect(ada.text("name"), equals: "Eve") }
    }
}
