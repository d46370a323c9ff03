// The results that an asynchronous fetch hands out.

import CoreData
import CoreDataTestSupport
import Dispatch
import Synchronization
import Testing

@Suite struct NSAsynchronousFetchResultTests {
    private func stack() throws -> TestStack {
        let stack = try TestStack(type: NSInMemoryStoreType)
        try stack.context.run { () throws in
            for text in ["a", "b"] { _ = stack.context.make("Note", ["text": text]) }
            try stack.context.save()
        }
        return stack
    }

    @Test func itNamesItsRequestAndContext() throws {
        let stack = try stack()
        let done = DispatchSemaphore(value: 0)
        let seen = Mutex<[ObjectIdentifier]>([])
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Note")
        let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
            let named = [
                ObjectIdentifier(result.fetchRequest), ObjectIdentifier(result.managedObjectContext),
            ]
            seen.withLock { $0 = named }
            done.signal()
        }
        let result = try stack.context.run { try stack.context.execute(request) }
        done.wait()
        #expect((result as? NSAsynchronousFetchResult<NSManagedObject>)?.fetchRequest === request)
        expect(seen.withLock { $0 }, equals: [ObjectIdentifier(request), ObjectIdentifier(stack.context)])
    }

    @Test func theBlockOfOneRequestServesAnother() throws {
        let stack = try stack()
        let done = DispatchSemaphore(value: 0)
        let texts = Mutex<[String?]>([])
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Note")
        let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
            let found = result.finalResult?.map { $0.value(forKey: "text") as? String }
            texts.withLock { $0 = found ?? [] }
            done.signal()
        }
        let block: NSPersistentStoreAsynchronousFetchResultCompletionBlock = try #require(
            request.completionBlock)
        let general = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        general.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
        let other = NSAsynchronousFetchRequest(fetchRequest: general, completionBlock: block)
        _ = try stack.context.run { try stack.context.execute(other) }
        done.wait()
        expect(texts.withLock { $0 }, equals: ["b", "a"])
    }
}
