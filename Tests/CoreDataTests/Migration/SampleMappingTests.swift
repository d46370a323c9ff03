// The mapping models of real applications run. Their migration policies are written here, as their applications'
// documentation describes them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"), .serialized)
struct SampleMappingTests {
    init() {
        NSEntityMigrationPolicy.register(V2to3MakerPolicy.self)
        NSEntityMigrationPolicy.register(
            CareKitPolicy.self, name: "CareKitStore.OCKStoreMigration2_0To2_1Policy")
        NSEntityMigrationPolicy.register(Country5ToCountry6Policy.self)
        NSEntityMigrationPolicy.register(
            EvolutionPolicy.self, name: "Advanced_EvolutionDemo_V2_FromV1MigrationPolicy")
        ValueTransformer.setValueTransformer(
            NSSecureUnarchiveFromDataTransformer(), forName: NSValueTransformerName("ColorsTransformer"))
    }

    private func all(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    /// Cars get objects for their makers; previous owners are the owners.
    @Test func coreDataPlus() throws {
        let folder = try TemporaryFolder()
        let sample = try SampleMapping("CoreDataPlus/V2toV3")
        let outcome = try sample.run(folder, count: 9)
        try outcome.source.performAndWait {
            try outcome.destination.performAndWait {
                try expect(sample.compare(outcome), equals: 9 * (3 + 2 + 4 + 2 + 3 + 2 + 3 + 2))
                let makers = try all("Maker", outcome.destination)
                expect(makers.count, equals: 27)
                for (mapping, pairs) in outcome.made where mapping != "PersonToPerson" {
                    for (from, to) in pairs {
                        let car = try outcome.object(from, outcome.source)
                        let new = try outcome.object(to[0], outcome.destination)
                        expect(
                            new.value(forKeyPath: "createdBy.name") as? String,
                            equals: car.value(forKey: "maker") as? String)
                        let owner = new.value(forKey: "owner") as? NSManagedObject
                        expect(
                            new.value(forKey: "previousOwners") as? NSSet,
                            equals: NSSet(array: owner.map { [$0] } ?? []))
                    }
                }
            }
        }
    }

    /// Versions get an identity of their own, single links to the next and previous one become lists, and tags objects.
    @Test func careKit() throws {
        let folder = try TemporaryFolder()
        let sample = try SampleMapping("CareKit/2.0_2.1_Mapping")
        // A linkage can only be one of a kind of task that the mapping makes none of.
        let outcome = try sample.run(folder, count: 4, without: ["OCKCDHealthKitLinkage"])
        try outcome.source.performAndWait {
            try outcome.destination.performAndWait {
                let own: Set = ["uuid", "id", "effectiveDate", "startDate", "endDate"]
                #expect(try sample.compare(outcome, ignoring: own) > 500)
                let tags = try all("OCKCDTag", outcome.destination)
                expect(
                    Set(tags.compactMap { $0.value(forKey: "title") as? String }),
                    equals: ["tag 0", "tag 1", "tag 2", "tag 3"])
                for name in ["OCKCDCarePlan", "OCKCDContact", "OCKCDPatient", "OCKCDTask", "OCKCDOutcome"] {
                    let objects = try all(name, outcome.destination)
                    expect(objects.count, equals: 4)
                    expect(Set(objects.compactMap { $0.value(forKey: "uuid") as? UUID }).count, equals: 4)
                    for object in objects {
                        let count = (object.value(forKey: "tags") as? NSSet)?.count
                        #expect(count == 1 || count == 2)
                    }
                }
                for (from, to) in outcome.made["OCKCDOutcomeToOCKCDOutcome"] ?? [:] {
                    let date = try outcome.object(from, outcome.source).value(forKey: "date") as? Date
                    try expect(
                        outcome.object(to[0], outcome.destination).value(forKey: "effectiveDate") as? Date,
                        equals: date)
                }
            }
        }
    }

    @Test func coreStoreForwardsAndBack() throws {
        let folder = try TemporaryFolder()
        let forwards = try SampleMapping("CoreStore/Advanced.EvolutionDemo.V2.FromV1")
        let outcome = try forwards.run(folder, count: 7)
        try outcome.source.performAndWait {
            try outcome.destination.performAndWait {
                let counted = try forwards.compare(outcome, ignoring: ["hasTail", "hasVertebrae"])
                expect(counted, equals: 7 * 3)
                for creature in try all("Creature", outcome.destination) {
                    let count = creature.value(forKey: "numberOfFlippers") as? Int ?? 0
                    expect(creature.value(forKey: "hasHead") as? Bool, equals: true)
                    expect(creature.value(forKey: "hasTail") as? Bool, equals: (count > 2))
                    expect(creature.value(forKey: "hasVertebrae") as? Bool, equals: (count > 4))
                }
            }
        }
        let other = try TemporaryFolder()
        let back = try SampleMapping("CoreStore/Advanced.EvolutionDemo.V1.FromV2")
        let before = try back.run(other, count: 7)
        try before.source.performAndWait {
            try before.destination.performAndWait {
                let compared = try back.compare(before)
                expect(compared, equals: 7 * 2)
            }
        }
    }

    /// Relationships through others; their loss; entities without their common parent; an entity that comes back.
    @Test(arguments: [
        ("objcio/Moody 2-Moody 3", 3), ("objcio/Moody 3-Moody 4", 3), ("objcio/Moody 4-Moody 5", 2),
        ("objcio/Moody 5-Moody 6", 2),
    ])
    func moody(_ path: String, entities: Int) throws {
        let folder = try TemporaryFolder()
        let sample = try SampleMapping(path)
        let outcome = try sample.run(folder, count: 8)
        try outcome.source.performAndWait {
            try outcome.destination.performAndWait {
                expect(outcome.made.values.reduce(0) { $0 + $1.count }, equals: entities * 8)
                // Country and region share a table of unique numbers in some versions.
                #expect(try sample.compare(outcome) > 8 * 12)
                guard path.hasSuffix("Moody 6") else { return }
                for (from, to) in outcome.made["CountryToCountry"] ?? [:] {
                    let number = try outcome.object(from, outcome.source).value(forKey: "isoContinent")
                    let country = try outcome.object(to[0], outcome.destination)
                    expect(
                        country.value(forKeyPath: "continent.numericISO3166Code") as? Int,
                        equals: number as? Int)
                }
                try expect(all("Continent", outcome.destination).count, equals: 8)
            }
        }
    }

    /// The four mappings one after the other over one store.
    @Test func moodyFromTheSecondVersionToTheSixth() throws {
        let folder = try TemporaryFolder()
        let first = try SampleMapping("objcio/Moody 2-Moody 3")
        let outcome = try first.run(folder, count: 5)
        let moods = try outcome.source.performAndWait {
            try Set(all("Mood", outcome.source).compactMap { $0.value(forKey: "remoteID") as? String })
        }
        let url = folder.file("New.sqlite")
        for store in outcome.destination.persistentStoreCoordinator?.persistentStores ?? [] {
            try outcome.destination.persistentStoreCoordinator?.remove(store)
        }
        var last = first
        for path in ["objcio/Moody 3-Moody 4", "objcio/Moody 4-Moody 5", "objcio/Moody 5-Moody 6"] {
            last = try SampleMapping(path)
            let manager = NSMigrationManager(sourceModel: last.old, destinationModel: last.new)
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, with: last.mapping, toDestinationURL: url,
                destinationType: NSSQLiteStoreType)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: last.new)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let found = try all("Mood", context)
            expect(Set(found.compactMap { $0.value(forKey: "remoteID") as? String }), equals: moods)
            #expect(found.allSatisfy { $0.value(forKeyPath: "country.continent") != nil })
            #expect(found.allSatisfy { ($0.value(forKey: "colors") as? NSArray)?.count == 2 })
        }
    }
}

/// Makes an object of a car's maker.
final class V2to3MakerPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let name = sInstance.value(forKey: "maker") as? String,
            let car = manager.destinationInstances(
                forEntityMappingName: mapping.name, sourceInstances: [sInstance]
            ).first
        else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Maker")
        request.predicate = NSPredicate(format: "name = %@", name)
        let maker =
            try manager.destinationContext.fetch(request).first
            ?? NSEntityDescription.insertNewObject(forEntityName: "Maker", into: manager.destinationContext)
        maker.setValue(name, forKey: "name")
        car.setValue(maker, forKey: "createdBy")
    }
}

/// Gives objects what the newer version demands of them, and makes objects of their tags.
final class CareKitPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        for object in made {
            object.setValue(UUID(), forKey: "uuid")
            if mapping.sourceEntityName == "OCKCDOutcome" {
                object.setValue(UUID().uuidString, forKey: "id")
                for key in ["effectiveDate", "startDate", "endDate"] {
                    object.setValue(sInstance.value(forKey: "date"), forKey: key)
                }
            }
            for title in Set(sInstance.value(forKey: "tags") as? [String] ?? []) {
                object.mutableSetValue(forKey: "tags").add(try tag(title, manager.destinationContext))
            }
        }
    }

    private func tag(_ title: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "OCKCDTag")
        request.predicate = NSPredicate(format: "title = %@", title)
        if let known = try context.fetch(request).first { return known }
        let tag = NSEntityDescription.insertNewObject(forEntityName: "OCKCDTag", into: context)
        tag.setValue(title, forKey: "title")
        return tag
    }
}

/// Gives countries a continent again, an object for each number.
final class Country5ToCountry6Policy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let number = sInstance.value(forKey: "isoContinent") as? Int,
            let country = manager.destinationInstances(
                forEntityMappingName: mapping.name, sourceInstances: [sInstance]
            ).first
        else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Continent")
        request.predicate = NSPredicate(format: "numericISO3166Code = %d", number)
        let continent =
            try manager.destinationContext.fetch(request).first
            ?? NSEntityDescription.insertNewObject(
                forEntityName: "Continent", into: manager.destinationContext)
        continent.setValue(number, forKey: "numericISO3166Code")
        country.setValue(continent, forKey: "continent")
    }
}

final class EvolutionPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let count = sInstance.value(forKey: "numberOfFlagella") as? Int ?? 0
        for creature in manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        {
            creature.setValue(count > 2, forKey: "hasTail")
            creature.setValue(count > 4, forKey: "hasVertebrae")
        }
    }
}
