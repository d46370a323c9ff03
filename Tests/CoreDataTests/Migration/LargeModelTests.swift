// A model of many entities on a server: made, filled, queried, migrated and moved to a file, without a difference.

import CoreData
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite(
    .enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)),
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct LargeModelTests {
    /// The entities of two programs in one model, with a version of one of them.
    private func model(_ version: String) throws -> NSManagedObjectModel {
        RawBytesTransformer.register()
        let parts = try [
            "HalloApp/MainDataStore.xcdatamodeld/MainDataStore",
            "CareKit/CareKitStore.xcdatamodeld/\(version)",
        ]
        .map { try NSManagedObjectModel.read(from: SharedFiles.url("models/\($0).xcdatamodel")) }
        let model = try #require(NSManagedObjectModel(byMerging: parts))
        for entity in model.entities {
            for attribute in entity.attributesByName.values
            where attribute.attributeType == .transformableAttributeType {
                attribute.valueTransformerName = RawBytesTransformer.name
            }
        }
        return model
    }

    /// Each object as the texts of its attributes and, for each relationship, of those that it leads to: keys differ from store
    /// to store.
    private func contents(_ opened: OpenStore) throws -> [String: [String]] {
        func own(_ object: NSManagedObject) -> String {
            object.entity.attributesByName.filter { !$0.value.isTransient }.keys.sorted().map { name in
                "\(name)=\(object.value(forKey: name).map { "\($0)" } ?? "nil")"
            }.joined(separator: ";")
        }
        var contents: [String: [String]] = [:]
        for object in try opened.objects().values {
            let links = object.entity.relationshipsByName.filter { $0.value.isStored }.keys.sorted().map {
                name in
                let value = object.value(forKey: name)
                let ordered = (value as? NSOrderedSet)?.array.compactMap { $0 as? NSManagedObject }.map(own)
                let members = (value as? Set<NSManagedObject>)?.map(own).sorted()
                let one = (value as? NSManagedObject).map { [own($0)] }
                return "\(name)=\(ordered ?? members ?? one ?? [])"
            }
            contents[object.entity.name ?? "", default: []].append(
                ([own(object)] + links).joined(separator: ";"))
        }
        return contents.mapValues { $0.sorted() }
    }

    @Test func aModelOfManyEntitiesGoesThereAndBack() throws {
        StoreKind.register()
        let folder = try TemporaryFolder()
        let (old, new) = (try model("CareKitStore2.1"), try model("CareKitStore3.0"))
        #expect(old.entities.count >= 30)
        let url = try #require(try StoreKind.place(StoreKind.postgreSQL.type, folder, "Large"))
        let made = try OpenStore(url, old)
        for round in 0..<3 {
            _ = SampleObjects(made.context, old, seed: 10 + round * 1000)
            let problems = made.save()
            if round > 0, !problems.isEmpty { made.context.reset() } else { try #require(problems == []) }
        }
        for entity in old.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.predicate = NSPredicate(format: "SELF IN %@", try made.context.fetch(request))
            #expect(try made.context.count(for: request) > 0)
        }
        try made.close()
        let before = try StoreContents(url, old, options: nil)
        let after = try StoreContents(url, new, options: .migrating)
        let difference = try MappingInference.difference(from: old.index, to: new.index)
        expect(after.missing(from: before.translated(difference)), equals: [])

        let migrated = try OpenStore(url, new)
        try expect(migrated.coordinator.verify(migrated.store), equals: [])
        let there = try contents(migrated)
        let file = folder.file("Back.sqlite")
        let moved = try migrated.coordinator.migratePersistentStore(
            migrated.store, to: file, options: nil, type: .sqlite)
        try migrated.coordinator.remove(moved)
        let back = try OpenStore(file, new)
        try expect(contents(back), equals: there)
        try expect(back.coordinator.verify(back.store), equals: [])
        try back.close()
    }
}
