// The strings have Apple's values: stores, options and observers written for Apple's framework state them literally.

import CoreData
import CoreDataTestSupport
import Testing

struct MigrationKeysTests {
    @Test(
        "constant has Apple's value",
        arguments: [
            (NSMigrationDestinationObjectKey, "destination"),
            (NSMigrationEntityMappingKey, "entityMapping"),
            (NSMigrationEntityPolicyKey, "entityPolicy"),
            (NSMigrationManagerKey, "manager"),
            (NSMigrationPropertyMappingKey, "propertyMapping"),
            (NSMigrationSourceObjectKey, "source"),
        ])
    func constant(value: String, apples: String) {
        expect(value, equals: apples)
    }
}
