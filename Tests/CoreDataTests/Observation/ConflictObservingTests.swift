import CoreData
import CoreDataTestSupport
import Testing

/// Observers of objects whose conflicts a merge policy settles.
@Suite struct ConflictObservingTests {
    /// The result of each policy when name and age changed on both sides and height in the store only.
    private static let ends: [NSMergePolicyType: (name: String, keys: [String])] = [
        .mergeByPropertyStoreTrumpMergePolicyType: ("Eve", ["age", "height", "name"]),
        .mergeByPropertyObjectTrumpMergePolicyType: ("Bea", ["height"]),
        .overwriteMergePolicyType: ("Bea", []),
        .rollbackMergePolicyType: ("Eve", ["age", "height", "name"]),
    ]

    @Test(arguments: Array(ends.keys), RivalStore.allCases)
    func eachPolicyTellsOfWhatItReplaces(_ type: NSMergePolicyType, _ store: RivalStore) throws {
        let rivals = try Rivals(store, NSMergePolicy(merge: type))
        let end = try #require(Self.ends[type])
        rivals.theirs.setValuesForKeys(["name": "Eve", "age": 50, "height": 2.5])
        try rivals.other.save()
        rivals.mine.setValuesForKeys(["name": "Bea", "age": 40])
        var seen: [String] = []
        let observation = rivals.mine.observe(["name", "age", "height"]) { object, key, _ in
            // Called when the conflict is settled.
            expect(object["name"] as? String, equals: end.name)
            seen.append(key)
        }
        try rivals.context.save()
        expect(seen.sorted(), equals: end.keys)
        observation.invalidate()
    }

    @Test(arguments: RivalStore.allCases) func theOtherSidesAreTold(_ store: RivalStore) throws {
        let rivals = try Rivals(store, .mergeByPropertyStoreTrump)
        let (a, b) = (try rivals.pair("Company", ["name": "A"]), try rivals.pair("Company", ["name": "B"]))
        rivals.theirs["company"] = b.1
        try rivals.other.save()
        rivals.mine["company"] = a.0
        expect(a.0.names("people"), equals: ["Ada"])
        var seen: [String] = []
        let observations = [a.0, b.0, rivals.mine].map { object in
            object.observe(["people", "company"].filter { object.entity.propertiesByName[$0] != nil }) {
                object, key, _ in seen.append("\(key) \(object["name"] ?? "")")
            }
        }
        try rivals.context.save()
        #expect(rivals.mine["company"] as? NSManagedObject === b.0)
        #expect(Set(seen).isSuperset(of: ["people A", "company Ada"]))
        #expect(a.0.names("people").isEmpty && b.0.names("people") == ["Ada"])
        for observation in observations { observation.invalidate() }
    }

    /// While the save lasts, the object counts as deleted; afterwards it belongs to no context.
    @Test(arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
    func theRowIsGone(_ type: NSMergePolicyType) throws {
        for store in RivalStore.allCases {
            let rivals = try Rivals(store, NSMergePolicy(merge: type))
            rivals.other.delete(rivals.theirs)
            try rivals.other.save()
            rivals.mine.setValue("Bob", forKey: "name")
            var seen: [Bool] = []
            let observation = rivals.mine.observe("isDeleted", as: Bool.self, options: [.old]) {
                object, change in
                #expect(change.oldValue != object.isDeleted)
                seen.append(object.isDeleted)
            }
            let told = Posted(.NSManagedObjectContextObjectsDidChange, rivals.context)
            try rivals.context.save()
            expect(seen, equals: [true, false])
            let deleted = told.all.compactMap { $0[NSDeletedObjectsKey] as? Set<NSManagedObject> }
            expect(deleted, equals: [[rivals.mine]])
            #expect(rivals.mine.managedObjectContext == nil && !rivals.mine.isDeleted)
            #expect(rivals.context.registeredObjects.isEmpty && !rivals.context.hasChanges)
            observation.invalidate()
        }
    }

    @Test func aMergedDeletionIsTold() throws {
        let rivals = try Rivals(.memory, .error)
        var seen: [Bool] = []
        let observation = rivals.mine.observe("isDeleted") { object, _ in seen.append(object.isDeleted) }
        rivals.other.delete(rivals.theirs)
        try rivals.other.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectIDsKey: [rivals.mine.objectID]], into: [rivals.context])
        expect(seen, equals: [true])
        try rivals.context.save()
        expect(seen, equals: [true, false])
        observation.invalidate()
    }
}
