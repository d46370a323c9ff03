// Properties of every kind.

import CoreData
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct NSPropertyDescriptionTests {
    @Test func whatANewPropertySays() {
        let property = NSAttributeDescription()
        expect(property.name, equals: "")
        #expect(property.isOptional)
        #expect(!property.isTransient)
        expect(property.attributeType, equals: .undefinedAttributeType)
        #expect(property.defaultValue == nil)
        expect(property.userInfo?.isEmpty, equals: true)
        #expect(property.validationPredicates.isEmpty)
        let relationship = NSRelationshipDescription()
        expect(relationship.deleteRule, equals: .nullifyDeleteRule)
        #expect(relationship.isToMany)
        #expect(NSFetchedPropertyDescription().isTransient)
    }

    @Test func renamingFallsBackOnTheName() {
        let property = NSAttributeDescription("title", .string)
        expect(property.renamingIdentifier, equals: "title")
        property.renamingIdentifier = "heading"
        expect(property.renamingIdentifier, equals: "heading")
    }

    @Test func validationKeepsPredicatesAndWarningsTogether() async {
        let property = NSAttributeDescription("age", .integer16)
        let predicate = SampleModel.predicate(.evaluatedObject, .greaterThan, .constant(.integer(0)))
        property.setValidationPredicates([predicate], withValidationWarnings: ["too young"])
        expect(property.validationPredicates, equals: [predicate])
        expect(property.validationWarnings as? [String], equals: ["too young"])
        property.setValidationPredicates(nil, withValidationWarnings: nil)
        #expect(property.validationPredicates.isEmpty)
        await #expect(processExitsWith: .failure) {
            NSAttributeDescription("age", .integer16).setValidationPredicates(
                [], withValidationWarnings: ["x"])
        }
    }

    @Test func attributeTypesMatchTheSchemas() {
        for type in AttributeType.allCases {
            #expect(NSAttributeType(rawValue: type.rawValue) != nil)
        }
        let attribute = NSAttributeDescription("when", .date)
        expect(attribute.attributeType, equals: .dateAttributeType)
        expect(attribute.type, equals: .date)
        expect(attribute.attributeValueClassName, equals: "NSDate")
        attribute.attributeValueClassName = "Moment"
        expect(attribute.attributeValueClassName, equals: "Moment")
    }

    @Test func compositesHoldAttributes() async throws {
        let place = NSCompositeAttributeDescription()
        expect(place.type, equals: .composite)
        place.elements = [NSAttributeDescription("latitude", .double)]
        let copy = try #require(place.copy() as? NSCompositeAttributeDescription)
        expect(copy, equals: place)
        copy.elements[0].name = "x"
        expect(place.elements[0].name, equals: "latitude")
        await #expect(processExitsWith: .failure) {
            let place = NSCompositeAttributeDescription()
            let outer = NSCompositeAttributeDescription()
            outer.elements = [place]
            place.elements = [outer]
        }
    }

    @Test func aRelationshipRemembersWhereItLed() throws {
        let relationship = NSRelationshipDescription()
        relationship.name = "r"
        do {
            let destination = NSEntityDescription("Gone")
            relationship.destinationEntity = destination
            #expect(relationship.destinationEntity === destination)
        }
        #expect(relationship.destinationEntity == nil)
        let source = NSEntityDescription("Source")
        source.properties = [relationship]
        let model = NSManagedObjectModel()
        model.entities = [source]
        expect(model.schema.entities[0].properties[0].relationship?.destinationEntityName, equals: "Gone")
    }

    @Test func toOneAndToMany() {
        let relationship = NSRelationshipDescription()
        relationship.maxCount = 1
        #expect(!relationship.isToMany)
        relationship.maxCount = 7
        #expect(relationship.isToMany)
    }

    @Test func expressionColumns() throws {
        let column = NSExpressionDescription()
        column.name = "total"
        column.resultType = .double
        column.expression = NSExpression.make(
            .function(operand: nil, name: "sum:", arguments: [.keyPath("price")]))
        expect(column.expressionResultType, equals: .doubleAttributeType)
        let copy = try #require(column.copy() as? NSExpressionDescription)
        expect(copy, equals: column)
        copy.resultType = .float
        #expect(copy != column)
    }

    @Test func indexElementsKnowTheirIndex() throws {
        let model = SampleModel.make()
        let vehicle = try #require(model.entitiesByName["Vehicle"])
        let index = try #require(vehicle.indexes.first)
        #expect(index.entity === vehicle)
        #expect(index.elements[0].indexDescription === index)
        expect(index.elements[0].propertyName, equals: "plate")
        #expect(!index.elements[0].isAscending)
        expect(index.elements[0].collationType, equals: .binary)
        let copy = try #require(index.copy() as? NSFetchIndexDescription)
        expect(copy, equals: index)
        copy.partialIndexPredicate = nil
        #expect(copy != index)
    }
}
