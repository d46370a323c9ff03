// Error codes under their names, and what errors carry.

import CoreData
import Testing

@Suite struct CocoaErrorTests {
    @Test func codesHaveNamesOnEveryLevel() {
        #expect(NSManagedObjectValidationError == 1550)
        #expect(CocoaError.Code.managedObjectValidation.rawValue == 1550)
        #expect(CocoaError.persistentStoreIncompatibleVersionHash.rawValue == 134100)
        let error = CocoaError(.managedObjectConstraintMerge)
        #expect(error.code == .managedObjectConstraintMerge)
        #expect((error as NSError).code == NSManagedObjectConstraintMergeError)
        #expect((error as NSError).domain == NSCocoaErrorDomain)
    }

    @Test func validationErrorsSayWhatFailed() throws {
        let error: any Error = NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMissingMandatoryPropertyError,
            userInfo: [
                NSValidationKeyErrorKey: "name", NSValidationValueErrorKey: 3,
                NSAffectedObjectsErrorKey: [NSObject()],
            ])
        let cocoa = try #require(error as? CocoaError)
        #expect(cocoa.validationKey == "name")
        #expect(cocoa.validationValue as? Int == 3)
        #expect(cocoa.affectedObjects?.count == 1)
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
