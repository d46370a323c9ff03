// One object's values, as an incremental store hands them over.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSIncrementalStoreNodeTests {
    @Test func itKeepsIDValuesAndVersion() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            let name = try #require(company.entity.attributesByName["name"])
            let founded = try #require(company.entity.attributesByName["founded"])
            let node = NSIncrementalStoreNode(
                objectID: company.objectID, withValues: ["name": "Acme"], version: 3)
            #expect(node.objectID == company.objectID && node.version == 3)
            #expect(node.value(for: name) as? String == "Acme" && node.value(for: founded) == nil)
            node.update(withValues: ["founded": NSNull()], version: 4)
            #expect(node.version == 4 && node.value(for: name) as? String == "Acme")
            #expect(node.value(for: founded) is NSNull)
        }
    }

    @Test func identifiersOfNewStoresAreRandom() throws {
        let url = URL(fileURLWithPath: "/shelf")
        let identifiers = (0..<2).compactMap { _ in
            NSIncrementalStore.identifierForNewStore(at: url) as? String
        }
        #expect(identifiers.compactMap(UUID.init).count == 2 && Set(identifiers).count == 2)
    }

    @Test func aClassMayIdentifyItsStoresItself() throws {
        final class Named: NSIncrementalStore, @unchecked Sendable {  // only the coordinator calls it
            override class func identifierForNewStore(at storeURL: URL) -> Any {
                "store at \(storeURL.lastPathComponent)"
            }

            override func loadMetadata() throws {
                let url = try #require(url)
                metadata = [
                    NSStoreTypeKey: "Named", NSStoreUUIDKey: Self.identifierForNewStore(at: url),
                ]
            }
        }
        NSPersistentStoreCoordinator.registerStoreClass(Named.self, forStoreType: "Named")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: "Named", configurationName: nil, at: URL(fileURLWithPath: "/shelf"))
        expect(store.identifier, equals: "store at shelf")
    }
}
