// The facts that tools are told about a model.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSManagedObjectModelToolsTests {
    private func model(_ constraint: [String]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Tracker"
        for name in ["company", "timestamp"] {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            entity.properties.append(attribute)
        }
        entity.uniquenessConstraints = [constraint]
        model.entities = [entity]
        return model
    }

    @Test func aHashThatNoFormulaSettlesIsNamedWithTheReason() {
        #expect(model(["company", "timestamp"]).uncertainVersionHashes.isEmpty)
        let uncertain = model(["timestamp", "company"]).uncertainVersionHashes
        expect(Array(uncertain.keys), equals: ["Tracker"])
        expect(uncertain["Tracker"]?.contains("timestamp, company"), equals: true)
    }

    @Test(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
    func aHashThatCameWithTheStoreIsCertain() throws {
        let url = try SharedFiles.url("stores/CoreDataPlus/SampleModel2_V2.sqlite")
        let model = try #require(try NSPersistentStoreCoordinator.model(inStoreAt: url))
        #expect(model.entitiesByName["Book"]?.attributesByName["pagesCount"] is NSDerivedAttributeDescription)
        #expect(model.uncertainVersionHashes.isEmpty)
    }

    @Test func remarksSayWhatIsWrongAndWhere() {
        let model = model(["company"])
        #expect(model.remarks.filter(\.isError).isEmpty)
        let relationship = NSRelationshipDescription()
        relationship.name = "nowhere"
        model.entities[0].properties.append(relationship)
        let remark = model.remarks.first { $0.property == "nowhere" && $0.isError }
        expect(remark?.entity, equals: "Tracker")
        expect(remark?.message.isEmpty, equals: false)
    }
}
