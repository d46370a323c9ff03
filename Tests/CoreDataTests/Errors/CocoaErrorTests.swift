// Error codes under their names, and what errors carry.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct CocoaErrorTests {
    @Test func codesHaveNamesOnEveryLevel() {
        expect(NSManagedObjectValidationError, equals: 1550)
        expect(CocoaError.Code.managedObjectValidation.rawValue, equals: 1550)
        expect(CocoaError.persistentStoreIncompatibleVersionHash.rawValue, equals: 134100)
        let error = CocoaError(.managedObjectConstraintMerge)
        expect(error.code, equals: .managedObjectConstraintMerge)
        expect((error as NSError).code, equals: NSManagedObjectConstraintMergeError)
        expect((error as NSError).domain, equals: NSCocoaErrorDomain)
    }

    @Test func validationErrorsSayWhatFailed() throws {
        let error: any Error = NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMissingMandatoryPropertyError,
            userInfo: [
                NSValidationKeyErrorKey: "name", NSValidationValueErrorKey: 3,
                NSAffectedObjectsErrorKey: [NSObject()],
            ])
        let cocoa = try #require(error as? CocoaError)
        expect(cocoa.validationKey, equals: "name")
        expect(cocoa.validationValue as? Int, equals: 3)
        expect(cocoa.affectedObjects?.count, equals: 1)
        #expect(cocoa.validationObject == nil)
        #expect(cocoa.validationPredicate == nil)
        #expect(cocoa.affectedStores == nil)
    }

    @Test func catchingByCode() {
        do {
            throw CocoaError(.validationMissingMandatoryProperty)
        } catch CocoaError.validationMissingMandatoryProperty {
            return
        } catch {
            Issue.record("not caught by its code: \(error)")
        }
    }
}
