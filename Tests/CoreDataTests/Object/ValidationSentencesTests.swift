// The texts of validation errors beside their description.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ValidationSentencesTests {
    @Test func everyErrorHasReasonAndSuggestion() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company")
            let missing = #expect(throws: NSError.self) { try company.validateForInsert() }
            expect(missing?.code, equals: NSValidationMissingMandatoryPropertyError)
            expect(missing?.localizedFailureReason?.contains("name"), equals: true)
            expect(missing?.localizedRecoverySuggestion?.isEmpty, equals: false)
            let person = stack.context.make("Person", ["age": 100_000])
            let tooLarge = #expect(throws: NSError.self) { try person.validateForInsert() }
            expect(tooLarge?.localizedFailureReason?.contains("age"), equals: true)
            expect(tooLarge?.localizedRecoverySuggestion?.isEmpty, equals: false)
            #expect(tooLarge?.localizedRecoverySuggestion != missing?.localizedRecoverySuggestion)
            let several = #expect(throws: NSError.self) { try stack.context.save() }
            expect(several?.code, equals: NSValidationMultipleErrorsError)
            expect(several?.localizedFailureReason?.isEmpty, equals: false)
            expect(several?.localizedRecoverySuggestion?.isEmpty, equals: false)
        }
    }

    @Test func warningsOfTheModelAreTheReason() throws {
        let model = CompanyModel.make()
        model.entitiesByName["Note"]?.attributesByName["text"]?.setValidationPredicates(
            [NSPredicate(format: "SELF.length > 3")], withValidationWarnings: ["Say more."])
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let note = stack.context.make("Note", ["text": "a"])
            let failure = #expect(throws: NSError.self) { try note.validateForInsert() }
            expect(failure?.localizedDescription, equals: "Say more.")
            expect(failure?.localizedFailureReason, equals: "Say more.")
            expect(failure?.localizedRecoverySuggestion?.isEmpty, equals: false)
        }
    }
}
