import CoreData
import CoreDataTestSupport
import StoreTools
import Testing

@Suite struct StoredValueTests {
    @Test(
        arguments: [
            (NSAttributeType.integer16AttributeType, "Integer 16"), (.binaryDataAttributeType, "Binary"),
            (.objectIDAttributeType, "ObjectID"), (.undefinedAttributeType, "Undefined"),
            (.compositeAttributeType, "Composite"),
        ])
    func attributeTypesHaveTheNamesOfModels(type: NSAttributeType, name: String) {
        expect(type.name, equals: name)
    }
}
