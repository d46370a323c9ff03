import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

/// The other features of a context, in a context on a context.
@Suite(.timeLimit(.minutes(20))) struct ChildFeatureTests {
    private static func model() -> NSManagedObjectModel {
        let model = CompanyModel.make()
        let adults = NSFetchedPropertyDescription()
        adults.name = "adults"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.predicate = NSPredicate(format: "company == $FETCH_SOURCE AND age > 17")
        adults.fetchRequest = request
        model.entitiesByName["Company"]?.properties.append(adults)
        return model
    }

    @Test(arguments: StoreKind.withObjects) func fetchedProperties(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind, Self.model())
        let root = tree.root
        let company = root.make("Company", ["name": "A"])
        _ = root.make("Person", ["name": "Saved", "age": 30, "company": company])
        try root.save()
        _ = root.make("Person", ["name": "Unsaved", "age": 20, "company": company])
        _ = root.make("Person", ["name": "Child", "age": 10, "company": company])
        for context in [tree.leaf, tree.middle] {
            let mine = context.object(with: company.objectID)
            let found = mine.value(forKey: "adults") as? [NSManagedObject] ?? []
            expect(found.compactMap { $0.text("name") }.sorted(), equals: ["Saved", "Unsaved"])
            #expect(found.allSatisfy { $0.managedObjectContext === context })
        }
    }

    @Test(arguments: StoreKind.withObjects) func aPermanentIDLeadsToTheObjectThatHadATemporaryOne(
        _ kind: StoreKind
    ) throws {
        let tree = try ContextTree(kind)
        let child = tree.middle
        let company = child.make("Company", ["name": "A"])
        let other = child.make("Company", ["name": "B"])
        try child.save()
        let names = ["A", "B"].map { NSPredicate(format: "name == %@", $0) }
        try tree.root.save()
        let identities = try names.map { name in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Company")
            request.resultType = .managedObjectIDResultType
            request.predicate = name
            return try #require(try tree.root.fetch(request).first)
        }
        #expect(child.object(with: identities[0]) === company)
        #expect(child.registeredObject(for: identities[1]) === other)
        #expect(company.objectID == identities[0] && company.text("name") == "A")
    }

    @Test(arguments: StoreKind.withObjects) func asynchronousFetches(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        try tree.root.run { () throws in
            _ = tree.root.make("Company", ["name": "Saved"])
            try tree.root.save()
            _ = tree.root.make("Company", ["name": "Unsaved"])
        }
        let leaf = tree.leaf
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var names: [String] = []
        let request = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Company")
        ) { result in
            for object in result.finalResult ?? [] where object.managedObjectContext === leaf {
                names.append(object.text("name") ?? "")
            }
            done.signal()
        }
        try leaf.run { _ = try leaf.execute(request) }
        expect(done.wait(timeout: .now() + 60), equals: .success)
        expect(names.sorted(), equals: ["Saved", "Unsaved"])
    }

    @Test(arguments: StoreKind.withObjects) func fetchedResultsFollowTheParent(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let (root, child) = (tree.root, tree.middle)
        try root.run { () throws in
            _ = root.make("Company", ["name": "B"])
            try root.save()
            _ = root.make("Company", ["name": "A"])
        }
        child.automaticallyMergesChangesFromParent = true
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil, cacheName: nil)
        let recorder = ResultRecorder()
        controller.delegate = recorder
        func names() -> [String] { (controller.fetchedObjects ?? []).compactMap { $0.text("name") } }
        try child.run { () throws in
            try controller.performFetch()
            expect(names(), equals: ["A", "B"])
            recorder.copy(controller)
            _ = child.make("Company", ["name": "AA"])
            child.processPendingChanges()
            expect(names(), equals: ["A", "AA", "B"])
        }
        // A sibling's save arrives by way of the parent.
        let sibling = ContextTree.child(of: root)
        try sibling.run { () throws in
            let a = try #require(try sibling.all("Company", "name = 'A'").first)
            a["name"] = "Z"
            _ = sibling.make("Company", ["name": "Y"])
            try sibling.save()
        }
        try root.run { try root.save() }
        // Merges wait in the child's queue.
        child.performAndWait {}
        child.performAndWait { expect(names(), equals: ["AA", "B", "Y", "Z"]) }
        #expect(recorder.mirror.first?.objects == controller.fetchedObjects && recorder.events > 1)
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory, .incremental] + StoreKind.onServers)
    func threeLevelsMergeByThemselves(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        for context in tree.upwards { context.automaticallyMergesChangesFromParent = true }
        try tree.root.run { () throws in
            for name in ["A", "B", "C"] { _ = tree.root.make("Company", ["name": name]) }
            try tree.root.save()
        }
        let mine = try tree.leaf.run { () throws in
            try ["A", "B", "C"].map { name in
                let found = try #require(try tree.leaf.all("Company", "name = '\(name)'").first)
                _ = found["name"]
                return found
            }
        }
        tree.leaf.performAndWait { mine[2]["founded"] = Date(timeIntervalSince1970: 1) }
        let other = tree.fresh()
        try other.run { () throws in
            try #require(try other.all("Company", "name = 'A'").first)["name"] = "AA"
            try #require(try other.all("Company", "name = 'C'").first)["name"] = "CC"
            other.delete(try #require(try other.all("Company", "name = 'B'").first))
            _ = other.make("Company", ["name": "D"])
            try other.save()
        }
        // Each level hands on what it merged.
        for context in tree.upwards.reversed() { context.performAndWait {} }
        try tree.leaf.run { () throws in
            #expect(mine[0].text("name") == "AA" && mine[2].text("name") == "CC")
            #expect(mine[1].isDeleted && mine[2].isUpdated)
            try expect(tree.leaf.strings("Company"), equals: ["AA", "CC", "D"])
        }
        try tree.saveAll()
        try expect(tree.fresh().strings("Company"), equals: ["AA", "CC", "D"])
        try expect(tree.fresh().all("Company", "founded != nil").count, equals: 1)
    }

    @Test(arguments: StoreKind.allCases) func aParentIsReset(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let (root, child) = (tree.root, tree.middle)
        let company = root.make("Company", ["name": "A"])
        try root.save()
        let mine = child.object(with: company.objectID)
        _ = mine["name"]
        mine["name"] = "B"
        let new = child.make("Person", ["name": "Ada", "company": mine])
        company["name"] = "lost"
        root.reset()
        #expect(mine.text("name") == "B" && new.isInserted)
        try child.save()
        try root.save()
        let fresh = tree.fresh()
        try withExtendedLifetime(fresh) {
            let found = try fresh.all("Company")
            #expect(found.map { $0.text("name") } == ["B"] && found[0].names("people") == ["Ada"])
        }
    }

    /// Changes that a child saved and its parent forgot before its own save are gone.
    @Test(arguments: StoreKind.allCases) func aResetParentForgetsWhatTheChildSaved(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let (root, child) = (tree.root, tree.middle)
        let company = child.make("Company", ["name": "A"])
        try child.save()
        root.reset()
        #expect(try child.all("Company").isEmpty && !root.hasChanges)
        company["name"] = "B"
        expect(thrownError { try child.save() }?.code, equals: NSManagedObjectMergeError)
        child.rollback()
        try root.save()
        #expect(try tree.fresh().all("Company").isEmpty)
    }

    @Test(arguments: StoreKind.withObjects) func aChildSeesWhatItsParentDeletes(_ kind: StoreKind) throws {
        let tree = try ContextTree(kind)
        let (root, child) = (tree.root, tree.middle)
        let company = root.make("Company", ["name": "A"])
        let person = root.make("Person", ["name": "Ada", "company": company])
        try root.save()
        let (mine, theirs) = (child.object(with: person.objectID), child.object(with: company.objectID))
        #expect(mine["company"] as? NSManagedObject === theirs && theirs.names("people") == ["Ada"])
        root.delete(company)
        root.processPendingChanges()
        #expect(try child.all("Company").isEmpty)
        child.refresh(mine, mergeChanges: false)
        #expect(mine["company"] == nil && mine.text("name") == "Ada")
        try root.save()
        child.refreshAllObjects()
        #expect(theirs["name"] == nil && theirs.isDeleted)
        mine["name"] = "Bea"
        try child.save()
        try root.save()
        let fresh = tree.fresh()
        try withExtendedLifetime(fresh) {
            let alone = try fresh.all("Person", "company == nil")
            expect(alone.map { $0.text("name") }, equals: ["Bea"])
        }
    }
}
