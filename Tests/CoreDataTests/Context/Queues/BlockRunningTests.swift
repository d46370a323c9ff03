// An app's functions of the names that the systems took later.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

extension NSManagedObjectContext {
    fileprivate func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        userInfo["own"] = (userInfo["own"] as? Int ?? 0) + 1
        return try block()
    }

    fileprivate func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> T
    ) async rethrows -> T {
        userInfo["own"] = (userInfo["own"] as? Int ?? 0) + 1
        return try block()
    }
}

extension NSPersistentContainer {
    fileprivate func performBackgroundTask<T>(
        _ block: @escaping (NSManagedObjectContext) throws -> T
    ) async rethrows -> T { try block(viewContext) }
}

@Suite struct BlockRunningTests {
    @Test func anAppsOwnFunctionsAreTaken() async throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let one = context.performAndWait { 1 }
        let two = try context.performAndWait { () throws -> Int in
            if one == 0 { throw CocoaError(.coreData) }
            return 2
        }
        let three = await context.perform { 3 }
        expect([one, two, three, context.userInfo["own"] as? Int], equals: [1, 2, 3, 3])
        let container = NSPersistentContainer(name: "Own", managedObjectModel: NSManagedObjectModel())
        let isView = await container.performBackgroundTask { $0 === container.viewContext }
        #expect(isView)
    }
}
