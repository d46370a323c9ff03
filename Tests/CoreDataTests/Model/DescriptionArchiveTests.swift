// Archiving: whole models, single descriptions, fetch requests.

import CoreData
import CoreDataPredicate
import CoreDataTestSupport
import Testing

@Suite struct DescriptionArchiveTests {
    private func through<Kind: NSObject & NSCoding>(_ object: Kind) throws -> Any? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        let reader = try NSKeyedUnarchiver(forReadingFrom: data)
        reader.requiresSecureCoding = false
        return reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    @Test func aModelComesBackWhole() throws {
        let model = SampleModel.make()
        model.localizationDictionary = ["Entity/Car": "Auto"]
        let copy = try #require(try through(model) as? NSManagedObjectModel)
        expect(copy, equals: model)
        expect(copy.localizationDictionary, equals: ["Entity/Car": "Auto"])
        #expect(copy.entitiesByName["Car"]?.superentity === copy.entitiesByName["Vehicle"])
    }

    @Test func aModelWithoutTextsComesBack() throws {
        let model = SampleModel.make()
        let copy = try #require(try through(model) as? NSManagedObjectModel)
        #expect(copy == model && copy.localizationDictionary == nil)
    }

    @Test func anEntityComesBackAlone() throws {
        let model = SampleModel.make()
        let owner = try #require(model.entitiesByName["Owner"])
        let copy = try #require(try through(owner) as? NSEntityDescription)
        expect(copy.name, equals: "Owner")
        expect(Set(copy.propertiesByName.keys), equals: ["name", "cars", "bigCars"])
        expect(copy.relationshipsByName["cars"]?.isOrdered, equals: true)
        #expect(copy.propertiesByName["name"]?.entity === copy)
    }

    @Test func propertiesOfEveryKindComeBack() throws {
        let model = SampleModel.make()
        for entity in model.entities {
            for property in entity.properties {
                let copy = try #require(try through(property) as? NSPropertyDescription)
                expect(copy, equals: property)
                #expect(type(of: copy) == type(of: property))
            }
        }
        let column = NSExpressionDescription()
        column.name = "total"
        column.resultType = .double
        column.expression = NSExpression.make(.keyPath("price"))
        try expect(through(column) as? NSExpressionDescription, equals: column)
    }

    @Test func indexesComeBack() throws {
        let model = SampleModel.make()
        let index = try #require(model.entitiesByName["Vehicle"]?.indexes.first)
        let copy = try #require(try through(index) as? NSFetchIndexDescription)
        expect(copy, equals: index)
        #expect(copy.elements.first?.indexDescription === copy)
        let element = try #require(index.elements.first)
        try expect(through(element) as? NSFetchIndexElementDescription, equals: element)
    }

    @Test func aFetchRequestComesBack() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Car")
        request.predicate = SampleModel.predicate(.keyPath("doors"), .greaterThan, .variable("N"))
        request.sortDescriptors = [NSSortDescriptor.make(SortKey("doors", ascending: false))]
        request.fetchLimit = 7
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["doors"]
        request.shouldRefreshRefetchedObjects = true
        let any = try #require(try through(request) as? NSFetchRequest<any NSFetchRequestResult>)
        let copy = any.returning(NSDictionary.self)
        expect(copy.entityName, equals: "Car")
        expect(copy.predicate?.tree, equals: request.predicate?.tree)
        expect(copy.sortDescriptors?.map(\.sortKey), equals: request.sortDescriptors?.map(\.sortKey))
        expect(copy.fetchLimit, equals: 7)
        expect(copy.resultType, equals: .dictionaryResultType)
        expect(copy.propertiesToFetch as? [String], equals: ["doors"])
        #expect(copy.shouldRefreshRefetchedObjects)
    }

    @Test func anArchiveWithoutAModelIsNoModel() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(Data([1, 2, 3]) as NSData, forKey: "CoreData.model")
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.decodingFailurePolicy = .setErrorAndReturn
        #expect(NSManagedObjectModel(coder: reader) == nil)
    }
}
