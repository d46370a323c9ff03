// Relationships that move up a hierarchy, with what they lead to.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MovedRelationshipsTests {
    enum Change: CaseIterable {
        /// A to-many relationship without inverse moves up.
        case withoutInverse
        /// A to-one relationship moves up, and gets the inverse that it hadn't.
        case newInverse
    }

    private func model(_ change: Change, isOld: Bool) -> NSManagedObjectModel {
        let (vehicle, car, wheel) = (
            NSEntityDescription("Vehicle"), NSEntityDescription("Car"),
            NSEntityDescription("Wheel", [NSAttributeDescription("name", .string)])
        )
        vehicle.subentities = [car]
        let many = change == .withoutInverse
        let wheels = NSRelationshipDescription("wheels", to: wheel, many ? .many : .one)
        (isOld ? car : vehicle).properties.append(wheels)
        if !isOld, !many {
            let back = NSRelationshipDescription("vehicles", to: vehicle, .many)
            (wheels.inverseRelationship, back.inverseRelationship) = (back, wheels)
            wheel.properties.append(back)
        }
        let model = NSManagedObjectModel()
        model.entities = [vehicle, car, wheel]
        return model
    }

    @Test(arguments: StoreKind.inPlace, Change.allCases)
    func membersStay(_ kind: StoreKind, _ change: Change) throws {
        let store = try MigratedStore(kind)
        try store.fill(model(change, isOld: true)) { opened in
            let wheel = opened.context.make("Wheel", ["name": "w"])
            let value: Any = change == .withoutInverse ? Set([wheel]) : wheel
            opened.context.make("Car").setValue(value, forKey: "wheels")
        }
        try store.migrate(to: model(change, isOld: false)) { migrated in
            let car = try #require(try migrated.context.all("Car").first)
            switch change {
            case .withoutInverse:
                let wheels = car.value(forKey: "wheels") as? Set<NSManagedObject>
                expect(wheels?.map { $0.text("name") }, equals: ["w"])
            case .newInverse:
                expect((car.value(forKey: "wheels") as? NSManagedObject)?.text("name"), equals: "w")
                let wheel = try #require(try migrated.context.all("Wheel").first)
                expect((wheel.value(forKey: "vehicles") as? Set<NSManagedObject>)?.count, equals: 1)
            }
        }
    }
}
