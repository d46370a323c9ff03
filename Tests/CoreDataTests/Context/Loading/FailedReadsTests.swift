// Reads that fail in getters: what these give, who is told, and that nothing is saved or answered from it.

@testable import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FailedReadsTests {
    private let stack: DamagedStack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try DamagedStack()
        context = stack.context
    }

    /// A fault of a person whose page was damaged.
    private func unreadable(in other: NSManagedObjectContext? = nil) throws -> NSManagedObject {
        let person = try stack.fault("Person", "person 30", in: other)
        try stack.damage("person 30 ")
        return person
    }

    private func expectReadError(_ error: NSError?, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
        #expect(error?.code == NSFileReadCorruptFileError, sourceLocation: sourceLocation)
        let code = (error?.userInfo[NSSQLiteErrorDomain] as? Int).map { $0 & 0xFF }
        #expect(code == 11, sourceLocation: sourceLocation)
    }

    // MARK: Warnings and errors

    @Test func aFaultThatCantBeReadShowsNilAndSaysWhy() throws {
        let person = try unreadable()
        context.performAndWait {
            let said = warnings {
                #expect(person.value(forKey: "name") == nil)
                #expect(person[ManagedAttribute("age")] as Int16 == 0)
                #expect(person[ManagedAttribute("name")] as String == "")
                #expect(person[ManagedAttribute("badge")] as UUID? == nil)
                #expect((person[ManagedAttribute("badge")] as UUID).uuidString.hasPrefix("00000000"))
                expect((person[ManagedAttribute("home")] as URL).path, equals: "/dev/null")
            }
            #expect(said.count == 1 && said.first?.contains("\"name\" of Person") == true, "\(said)")
            #expect(!person.isDeleted && !person.isFault && !context.hasChanges)
            #expect(person.managedObjectContext === context)
            let error = context.readError
            expectReadError(error)
            expect(error?.userInfo["entity"] as? String, equals: "Person")
            expect(error?.userInfo["property"] as? String, equals: "name")
            let affected = error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObjectID]
            expect(affected, equals: [person.objectID])
            expect(error?.userInfo[NSFilePathErrorKey] as? String, equals: stack.url.path)
        }
    }

    @Test func everyRequestThrowsItUntilTheObjectIsRefreshed() throws {
        let before = try stack.rows("SELECT Z_PK, ZNAME, Z_OPT FROM ZCOMPANY")
        let other = try stack.fault("Company", "Acme of")
        try context.run { () throws in
            defer { context.reset() }
            other.willAccessValue(forKey: nil)
            let person = try unreadable()
            other.setValue("Seen \(person.text("name") ?? "nobody")", forKey: "name")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
            expectReadError(error { _ = try context.fetch(request) })
            expectReadError(error { _ = try context.count(for: request) })
            expectReadError(error { _ = try context.fetchBatched(request) })
            expectReadError(error { _ = try context.existingObject(with: other.objectID) })
            expectReadError(error { try context.execute(NSBatchUpdateRequest(entityName: "Company")) })
            expectReadError(error { try context.obtainPermanentIDs(for: [other]) })
            expectReadError(error { try context.setQueryGenerationFrom(.current) })
            expectReadError(error { try context.save() })
            #expect(other.hasChanges && context.updatedObjects == [other])
        }
        try expect(stack.rows("SELECT Z_PK, ZNAME, Z_OPT FROM ZCOMPANY"), equals: before)
    }

    @Test func aRefreshReadsAgainAndAllGoesOn() throws {
        let company = try stack.fault("Company", "Acme of")
        try context.run { () throws in
            let person = try unreadable()
            company.setValue("Other", forKey: "name")
            #expect(person.value(forKey: "name") == nil)
            context.refresh(person, mergeChanges: false)
            #expect(context.readError == nil && person.isFault)
            #expect(person.value(forKey: "name") == nil)
            expectReadError(error { try context.save() })
            try stack.repair()
            context.refresh(person, mergeChanges: false)
            expect(person.text("name")?.hasPrefix("person 30 "), equals: true)
            try context.save()
        }
        try expect(stack.rows("SELECT ZNAME FROM ZCOMPANY"), equals: [[.text("Other")]])
    }

    @Test func valuesThatWereSetMeanwhileStayOverTheRow() throws {
        try context.run { () throws in
            let person = try unreadable()
            #expect(person.value(forKey: "name") == nil)
            person.setValue(41, forKey: "age")
            expectReadError(error { try context.save() })
            // The row still can't be read: the error stays.
            context.refresh(person, mergeChanges: true)
            expectReadError(error { try context.save() })
            context.refreshAllObjects()
            expectReadError(context.readError)
            try stack.repair()
            context.refresh(person, mergeChanges: true)
            expect(person.text("name")?.hasPrefix("person 30 "), equals: true)
            expect(person.value(forKey: "age") as? Int, equals: 41)
            try context.save()
        }
        let rows = try stack.rows("SELECT ZAGE, SUBSTR(ZNAME, 1, 9) FROM ZPERSON WHERE ZAGE <> 40")
        expect(rows, equals: [[.integer(41), .text("person 30")]])
    }

    @Test(arguments: [false, true])
    func allObjectsCanBeRefreshedOrForgotten(forgotten: Bool) throws {
        try context.run { () throws in
            let person = try unreadable()
            #expect(person.value(forKey: "name") == nil && context.readError != nil)
            if forgotten { context.reset() } else { context.refreshAllObjects() }
            #expect(context.readError == nil)
            try context.save()
            try expect(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Company")), equals: 1)
            #expect(forgotten || person.isFault)
        }
    }

    @Test func aThrowingBlockThrowsItAtItsEnd() async throws {
        let person = try unreadable()
        let id = person.objectID
        expectReadError(
            error { try context.performAndWait { () throws -> Void in _ = person.value(forKey: "name") } })
        context.performAndWait { context.reset() }
        #expect(context.performAndWait { context.object(with: id).value(forKey: "name") as? String } == nil)
        for schedule in [NSManagedObjectContext.ScheduledTaskType.immediate, .enqueued] {
            do {
                try await context.perform(schedule: schedule) { () throws -> Void in }
                Issue.record("nothing was thrown")
            } catch {
                expectReadError(error as NSError)
            }
        }
        // The block's own error comes first.
        #expect(throws: CocoaError(.featureUnsupported)) {
            try context.performAndWait { () throws -> Void in throw CocoaError(.featureUnsupported) }
        }
    }

    @Test func aBlockThatClearsItEndsWell() throws {
        let person = try unreadable()
        let name = try context.performAndWait { () throws -> String? in
            let name = person.text("name")
            context.refresh(person, mergeChanges: false)
            return name
        }
        #expect(name == nil)
    }

    private enum Grade: Int16 {
        case first = 1
        case second = 2
    }

    @Test func accessorsThatArentOptionalGiveWhatTheyCan() throws {
        let person = try unreadable()
        context.performAndWait {
            #expect(person[ManagedAttribute("age")] as Grade == .first)
            #expect(person[ManagedAttribute("age")] as Grade? == nil)
            let company = person[ManagedRelationship("company")] as NSManagedObject
            #expect(company.entity.name == "Company" && company.managedObjectContext == nil)
            #expect(person[ManagedRelationship("company")] as NSManagedObject? == nil)
            expectReadError(context.readError)
        }
    }

    @Test func aResultThatCantBeReadStaysWhereItIs() throws {
        let person = try stack.fault("Person", "person 30")
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "age == 40")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let listener = Listener()
            controller.delegate = listener
            try controller.performFetch()
            let place = try #require(controller.indexPath(forObject: person))
            try stack.damage("person 30 ")
            context.refresh(person, mergeChanges: false)
            expect(controller.fetchedObjects?.count, equals: 60)
            expect(controller.indexPath(forObject: person), equals: place)
            expectReadError(error { try controller.performFetch() })
            context.reset()
        }
    }

    private final class Listener: NSObject, NSFetchedResultsControllerDelegate {}

    // MARK: Members

    @Test func membersThatCantBeReadAreNone() throws {
        let company = try stack.fault("Company", "Acme of")
        try context.run { () throws in
            company.willAccessValue(forKey: nil)
            let person = context.make("Person", ["name": "new"])
            try stack.damage("person 30 ")
            let said = warnings {
                expect((company.value(forKey: "people") as? NSSet)?.count, equals: 0)
                #expect((company[ManagedRelationship("people")] as Set<NSManagedObject>).isEmpty)
            }
            #expect(said.count == 1 && said[0].contains("\"people\" of Company"), "\(said)")
            expect(context.readError?.userInfo["property"] as? String, equals: "people")
            person.setValue(company, forKey: "company")
            let people = (company.value(forKey: "people") as? NSSet)?.allObjects
            expect(people as? [NSManagedObject], equals: [person])
            expectReadError(error { try context.save() })
            try stack.repair()
            context.refresh(company, mergeChanges: true)
            expect((company.value(forKey: "people") as? NSSet)?.count, equals: 61)
            try context.save()
        }
        let count = try stack.rows("SELECT COUNT(*) FROM ZPERSON WHERE ZCOMPANY IS NOT NULL")
        expect(count, equals: [[.integer(61)]])
    }

    @Test func aRollbackReadsMembersAgain() throws {
        let company = try stack.fault("Company", "Acme of")
        try context.run { () throws in
            company.willAccessValue(forKey: nil)
            try stack.damage("person 30 ")
            company.setValue(nil, forKey: "people")
            company.setValue(NSSet(), forKey: "people")
            company.setValue("changed", forKey: "name")
            context.rollback()
            try context.save()
            expect((company.value(forKey: "people") as? NSSet)?.count, equals: 0)
            expectReadError(error { try context.save() })
            try stack.repair()
            context.refreshAllObjects()
            expect((company.value(forKey: "people") as? NSSet)?.count, equals: 60)
            try context.save()
        }
        try expect(stack.rows("SELECT COUNT(*) FROM ZPERSON WHERE ZCOMPANY IS NULL"), equals: [[.integer(0)]])
    }

    @Test func deleteRulesThatCantReadKeepTheSaveFromWriting() throws {
        let person = try stack.fault("Person", "person 30")
        try context.run { () throws in
            person.willAccessValue(forKey: nil)
            try stack.damage("note 30.0 ")
            context.delete(person)
            expectReadError(error { try context.save() })
            #expect(person.isDeleted)
            try stack.repair()
            context.refreshAllObjects()
            try context.save()
        }
        try expect(stack.rows("SELECT COUNT(*) FROM ZPERSON"), equals: [[.integer(59)]])
        try expect(stack.rows("SELECT COUNT(*) FROM ZNOTE"), equals: [[.integer(118)]])
    }

    @Test func validationOfWhatCouldntBeReadIsNoErrorOfValidation() throws {
        let company = try stack.fault("Company", "Acme of")
        try context.run { () throws in
            try stack.damage("Acme of ")
            company.setValue(Date(), forKey: "founded")
            expectReadError(error { try context.save() })
            context.reset()
        }
        try stack.repair()
        try expect(stack.rows("SELECT ZFOUNDED FROM ZCOMPANY"), equals: [[.null]])
    }

    @Test func whatAFetchReadsItThrows() throws {
        try context.run { () throws in
            try stack.damage("person 30 ")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
            request.relationshipKeyPathsForPrefetching = ["people"]
            expectReadError(error { _ = try context.fetch(request) })
            #expect(context.readError == nil)
            request.relationshipKeyPathsForPrefetching = []
            let company = try #require(try context.fetch(request).first)
            expect(company.text("name")?.hasPrefix("Acme"), equals: true)
        }
    }

    @Test func batchesThatCantBeReadHoldFaults() throws {
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
            request.fetchBatchSize = 5
            let people = try context.fetchBatched(request)
            try stack.damage("person 30 ")
            expectReadError(error { for place in people.indices { try people.load(at: place) } })
            #expect(context.readError == nil)
            #expect(people.map { $0.text("name") == nil }.contains(true))
            expectReadError(context.readError)
            expectReadError(error { try people.load(at: 0) })
            #expect(error { try people.load(at: 60) }?.code == NSCoreDataError)
            context.reset()
        }
    }

    @Test func aBatchWithADamagedPageGivesItsOtherRows() throws {
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
            request.fetchBatchSize = 50
            let people = try context.fetch(request)
            try stack.damage("person 30 ")
            #expect(people[0].text("name") != nil && context.readError == nil)
            let unread = people.filter { $0.text("name") == nil }
            #expect(!unread.isEmpty && unread.count < 30, "\(unread.count)")
            expectReadError(context.readError)
            context.reset()
        }
    }

    // MARK: Asking and stopping

    /// Notes what it is asked.
    private final class Asking: NSManagedObjectContext, @unchecked Sendable {  // as its superclass
        var asked: [(NSManagedObjectID, String?, Int?)] = []

        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject, for oid: NSManagedObjectID,
            triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            asked.append((oid, property?.name, readError?.code))
            return true
        }
    }

    @Test func theContextIsAskedAndHasTheError() throws {
        let asking = Asking(concurrencyType: .privateQueueConcurrencyType)
        asking.persistentStoreCoordinator = stack.coordinator
        try asking.run { () throws in
            let person = try unreadable(in: asking)
            #expect(person.value(forKey: "name") == nil)
            expect(asking.asked.count, equals: 1)
            #expect(asking.asked[0] == (person.objectID, "name", NSFileReadCorruptFileError))
            asking.reset()
        }
    }

    @Test func theProcessStopsIfTheClientWantsThat() async {
        for setting in [0, 1] {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [setting = setting as Int] in
                let stack = try DamagedStack()
                if setting == 0 {
                    stack.context.stopsAtFailedReads = true
                } else {
                    stack.context.shouldDeleteInaccessibleFaults = false
                }
                let person = try stack.fault("Person", "person 30")
                try stack.damage("person 30 ")
                _ = person.value(forKey: "name")
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("NSObjectInaccessibleException") && text.contains("\"name\" of Person"))
            #expect(text.contains("fulfillFault(forKey:)"))
        }
    }

    // MARK: Other contexts

    @Test func aChildsFailedReadIsTheChilds() throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        try child.run { () throws in
            let person = try unreadable(in: child)
            #expect(person.value(forKey: "name") == nil && !person.isDeleted)
            expectReadError(error { try child.save() })
            #expect(context.performAndWait { context.readError } == nil)
            try stack.repair()
            child.refresh(person, mergeChanges: false)
            expect(person.text("name")?.hasPrefix("person 30 "), equals: true)
        }
    }

    @Test func aParentWithUnreadValuesAnswersNothing() throws {
        let person = try unreadable()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        #expect(context.performAndWait { person.text("name") } == nil)
        child.performAndWait {
            expectReadError(error { _ = try child.all("Company") })
            let fault = child.object(with: person.objectID)
            #expect(fault.value(forKey: "name") == nil && !fault.isDeleted)
            child.reset()
        }
        context.performAndWait { context.refreshAllObjects() }
        try expect(child.run { try child.all("Company").count }, equals: 1)
    }
}
