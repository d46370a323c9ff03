// Batches on copies of the stores that Apple's framework made leave them valid.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct AppleStoreBatchTests {
    @Test(arguments: AppleStore.writable)
    func batchesKeepTheStoreValid(name: String) throws {
        let store = try AppleStore(name)
        let opened = try store.open()
        for entity in store.model.entities where !entity.isAbstract {
            try change(entity, in: opened)
        }
        let problems = try opened.coordinator.verify(opened.store)
        // Batches don't look for relationships that must not be empty, as Apple's don't.
        expect(problems.filter { !$0.check.hasSuffix(": missing values") }, equals: [])
        try opened.close()
        let violations = try store.inspector().violations()
        expect(violations, equals: [])
        let reopened = try store.open()
        let differences = try ObjectComparison.differences(reopened, store.inspector())
        expect(differences, equals: [])
        try reopened.close()
    }

    /// Inserts, updates and deletes rows of an entity. Deletions that a rule forbids are refused whole.
    private func change(_ entity: NSEntityDescription, in opened: OpenStore) throws {
        let name = try #require(entity.name)
        let context = opened.context
        let constrained = Set(entity.uniquenessConstraints.flatMap { $0 }.map { "\($0)" })
        let text = entity.attributesByName.values.filter { attribute in
            attribute.attributeType == .stringAttributeType && !attribute.isTransient
                && !constrained.contains(attribute.name) && !(attribute is NSDerivedAttributeDescription)
        }
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
        if let attribute = text.map(\.name).min() {
            try expect(context.batchUpdate(name, nil, [attribute: "batch"]), equals: count)
            try expect(context.all(name, "\(attribute) == 'batch'").count, equals: count)
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        request.fetchLimit = 1
        let delete = NSBatchDeleteRequest(fetchRequest: request)
        delete.resultType = .resultTypeObjectIDs
        let before = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
        do {
            let result = try context.execute(delete) as? NSBatchDeleteResult
            let identities = try #require(result?.result as? [NSManagedObjectID])
            if entity.subentities.isEmpty { expect(identities.isEmpty, equals: (before == 0)) }
            context.reset()
            for identity in identities {
                #expect(throws: CocoaError.self) { try context.existingObject(with: identity) }
            }
        } catch let error as CocoaError {
            let codes = [NSValidationRelationshipDeniedDeleteError, NSPersistentStoreSaveConflictsError]
            #expect(codes.contains(error.code.rawValue), "\(error)")
        }
        let required = entity.attributesByName.values.filter { !$0.isOptional && $0.defaultValue == nil }
        if required.isEmpty {
            let rows: [[String: Any]] = [[:], [:]]
            try expect(context.batchInsert(name, rows), equals: 2)
        }
    }
}
