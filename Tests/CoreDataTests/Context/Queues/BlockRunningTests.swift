// An app's function of the name that the systems took later.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

extension NSManagedObjectContext {
    fileprivate func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        userInfo["own"] = (userInfo["own"] as? Int ?? 0) + 1
        return try block()
    }
}

@Suite struct BlockRunningTests {
    @Test func anAppsOwnFunctionIsTaken() throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let one = context.performAndWait { 1 }
        let two = try context.performAndWait { () throws -> Int in
            if one == 0 { throw CocoaError(.coreData) }
            return 2
        }
        expect([one, two, context.userInfo["own"] as? Int], equals: [1, 2, 2])
    }
}
