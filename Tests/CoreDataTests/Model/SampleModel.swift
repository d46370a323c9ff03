// A model built in code that has one of everything, for the tests of the model classes.

import CoreData
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

enum SampleModel {
    /// Vehicle (abstract) with the subentity Car, and Owner.
    static func make() -> NSManagedObjectModel {
        let vehicle = NSEntityDescription("Vehicle")
        vehicle.isAbstract = true
        let car = NSEntityDescription("Car")
        let owner = NSEntityDescription("Owner")
        vehicle.properties = [
            NSAttributeDescription("plate", .string), NSAttributeDescription("wheels", .integer16),
        ]
        car.properties = [NSAttributeDescription("doors", .integer32), place(), pricesSum()]
        owner.properties = [NSAttributeDescription("name", .string)]
        vehicle.subentities = [car]
        relate(car, "owner", owner, "cars")

        vehicle.uniquenessConstraints = [["plate"]]
        let model = NSManagedObjectModel()
        model.entities = [vehicle, car, owner]
        model.setEntities([vehicle, car], forConfigurationName: "Machines")
        model.versionIdentifiers = ["1.0"]

        vehicle.indexes = [index(on: vehicle)]
        owner.properties += [expensiveCars(of: car)]
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        template.entity = car
        template.predicate = predicate(.keyPath("doors"), .greaterThan, .variable("COUNT"))
        model.setFetchRequestTemplate(template, forName: "WithDoors")
        return model
    }

    static func relate(
        _ source: NSEntityDescription, _ name: String, _ destination: NSEntityDescription, _ inverse: String
    ) {
        let forth = NSRelationshipDescription()
        forth.name = name
        forth.maxCount = 1
        let back = NSRelationshipDescription()
        back.name = inverse
        back.isOrdered = true
        back.deleteRule = .cascadeDeleteRule
        source.properties += [forth]
        destination.properties += [back]
        forth.destinationEntity = destination
        back.destinationEntity = source
        forth.inverseRelationship = back
        back.inverseRelationship = forth
    }

    static func predicate(
        _ left: ExpressionTree, _ op: ComparisonOperator, _ right: ExpressionTree
    ) -> NSPredicate {
        NSPredicate.make(.comparison(.init(left, op: op, right: right)))
    }

    private static func place() -> NSCompositeAttributeDescription {
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [
            NSAttributeDescription("latitude", .double), NSAttributeDescription("longitude", .double),
        ]
        return place
    }

    private static func pricesSum() -> NSDerivedAttributeDescription {
        let derived = NSDerivedAttributeDescription()
        derived.name = "plateForSearch"
        derived.type = .string
        derived.derivationExpression = NSExpression.make(
            .function(operand: nil, name: "canonical:", arguments: [.keyPath("plate")]))
        return derived
    }

    private static func index(on vehicle: NSEntityDescription) -> NSFetchIndexDescription {
        let plate = NSFetchIndexElementDescription(
            property: vehicle.propertiesByName["plate"] ?? NSAttributeDescription(), collationType: .binary)
        plate.isAscending = false
        let index = NSFetchIndexDescription(name: "byPlate", elements: [plate])
        index.partialIndexPredicate = predicate(.keyPath("wheels"), .equalTo, .constant(.integer(4)))
        return index
    }

    private static func expensiveCars(of car: NSEntityDescription) -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        property.name = "bigCars"
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = car
        request.predicate = predicate(
            .keyPath("owner"), .equalTo, .variable("FETCH_SOURCE"))
        request.sortDescriptors = [NSSortDescriptor.make(SortKey("plate", ascending: false))]
        property.fetchRequest = request
        return property
    }
}
