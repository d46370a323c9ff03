// Errors for the faults that models raise for.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ModelCheckingTests {
    @Test func templatesWantAllTheirVariables() throws {
        let model = CompanyModel.make()
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        template.predicate = NSPredicate(format: "name == $NAME AND age > $AGE")
        model.setFetchRequestTemplate(template, forName: "named")
        let filled = try model.fetchRequestFromTemplate(
            checkingName: "named", substitutionVariables: ["NAME": "Ada", "AGE": 3])
        expect(filled.predicate?.formatString, equals: "name == \"Ada\" AND age > 3")
        let missing = error {
            _ = try model.fetchRequestFromTemplate(
                checkingName: "named", substitutionVariables: ["NAME": "Ada"])
        }
        #expect(missing?.code == NSCoreDataError && missing?.localizedFailureReason?.contains("$AGE") == true)
        let unknown = error {
            _ = try model.fetchRequestFromTemplate(checkingName: "nonsense", substitutionVariables: [:])
        }
        expect(unknown?.code, equals: NSCoreDataError)
    }

    @Test func modelsThatContradictEachOtherAreNotMerged() throws {
        let (one, same, other) = (CompanyModel.make(), CompanyModel.make(), CompanyModel.make())
        other.entitiesByName["Note"]?.attributesByName["text"]?.isOptional = false
        try expect(
            NSManagedObjectModel(checkingMerge: [one, same]).entities.count, equals: one.entities.count)
        let thrown = error { _ = try NSManagedObjectModel(checkingMerge: [one, other]) }
        #expect(thrown?.code == NSCoreDataError && thrown?.localizedDescription.contains("\"Note\"") == true)
    }

    @Test func aReferenceLeadsToItsModelOrSaysWhyNot() throws {
        let model = CompanyModel.make()
        let right = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        #expect(try right.resolve() === model)
        let wrong = NSManagedObjectModelReference(model: model, versionChecksum: "other")
        #expect(error { _ = try wrong.resolve() }?.code == NSManagedObjectModelReferenceNotFoundError)
    }
}
