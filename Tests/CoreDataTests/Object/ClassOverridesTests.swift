// The methods that a class overrides: a save calls these, and no others matter.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

private class Plain: NSManagedObject {}

private class Saving: NSManagedObject {
    override func willSave() { super.willSave() }
}

private final class SavingBelow: Saving {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
    }
}

private final class All: NSManagedObject {
    override func willSave() {}
    override func didSave() {}
    override func validateForInsert() throws {}
    override func validateForUpdate() throws {}
    override func validateForDelete() throws {}
    override func validateValue(_ value: inout Any?, forKey key: String) throws {}
    override func setNilValueForKey(_ key: String) {}
}

@Suite struct ClassOverridesTests {
    @Test func classesThatOverrideNothingHaveNothing() {
        expect(ClassOverrides(of: NSManagedObject.self), equals: [])
        expect(ClassOverrides(of: Plain.self), equals: [])
    }

    @Test func overridesAreFoundInTheClassAndAboveIt() {
        expect(ClassOverrides(of: Saving.self), equals: .willSave)
        expect(ClassOverrides(of: SavingBelow.self), equals: [.willSave, .validateValue])
        expect(
            ClassOverrides(of: All.self),
            equals: [
                .willSave, .didSave, .validateForInsert, .validateForUpdate, .validateForDelete,
                .validateValue, .setNilValueForKey,
            ])
    }
}
