// Values read and written by slot, without a key or a box.

import CoreData
import Foundation
import Testing

@Suite struct TypedAccessTests {
    private let person: NSManagedObject
    private let context: NSManagedObjectContext

    init() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        person = context.performAndWait { [context] in
            NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        }
    }

    /// Stores and loads through the protocol, as generic code does, and compares with the value by key.
    private func through<Value: ManagedStorable & Equatable>(_ key: String, _ value: Value) -> Value {
        context.performAndWait {
            let slot: ManagedSlot = person.slot(forKey: key)
            Value.store(value, in: person, slot: slot)
            return Value.load(from: person, slot: slot)
        }
    }

    @Test func numbers() {
        #expect(through("age", Int16(-7)) == -7)
        #expect(through("level", Int32.min) == .min)
        #expect(through("visits", Int64.max) == .max)
        #expect(through("visits", 12) == 12)
        #expect(person.value(forKey: "visits") as? Int == 12)
        #expect(through("isActive", true))
        Int16.store(-9, in: person, slot: person.slot(forKey: "age"))
        #expect(Int16.load(from: person, slot: person.slot(forKey: "age")) == -9)
        #expect(person.value(forKey: "age") as? Int == -9)
        Bool.store(false, in: person, slot: person.slot(forKey: "isActive"))
        #expect(!Bool.load(from: person, slot: person.slot(forKey: "isActive")))
        #expect(person.value(forKey: "isActive") as? Bool == false)
        Double.store(1.5, in: person, slot: person.slot(forKey: "height"))
        #expect(Double.load(from: person, slot: person.slot(forKey: "height")) == 1.5)
        Float.store(0.25, in: person, slot: person.slot(forKey: "rating"))
        #expect(Float.load(from: person, slot: person.slot(forKey: "rating")) == 0.25)
        #expect(person.value(forKey: "rating") as? Float == 0.25)
    }

    @Test func textAndBytes() {
        let name = person.slot(forKey: "name")
        String.store("Ada", in: person, slot: name)
        #expect(String.load(from: person, slot: name) == "Ada")
        #expect(person.value(forKey: "name") as? String == "Ada")
        let photo = person.slot(forKey: "photo")
        Data.store(Data([1, 2]), in: person, slot: photo)
        #expect(Data.load(from: person, slot: photo) == Data([1, 2]))
        #expect(person.value(forKey: "photo") as? Data == Data([1, 2]))
    }

    @Test func dates() {
        let company = NSEntityDescription.insertNewObject(forEntityName: "Company", into: context)
        let founded = company.slot(forKey: "founded")
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        Date.store(day, in: company, slot: founded)
        #expect(Date.load(from: company, slot: founded) == day)
        #expect(company.value(forKey: "founded") as? Date == day)
    }

    @Test func nilIsKept() {
        let name = person.slot(forKey: "name")
        String?.store("x", in: person, slot: name)
        #expect(String?.load(from: person, slot: name) == "x")
        String?.store(nil, in: person, slot: name)
        #expect(String?.load(from: person, slot: name) == nil)
        #expect(person.value(forKey: "name") == nil)
        #expect(person.hasChanges)
    }
}
