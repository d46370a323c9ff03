import CoreData
import CoreDataTestSupport
import Dispatch
import Testing

@Suite struct ExecutingTests {
    private func filled() throws -> TestStack {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for name in ["a", "b"] { _ = stack.context.make("Note", ["text": name]) }
            try stack.context.save()
        }
        return stack
    }

    @Test func anAsynchronousFetchCallsBack() async throws {
        let stack = try filled()
        let texts: [String] = try await withCheckedThrowingContinuation { continuation in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                continuation.resume(returning: result.finalResult?.compactMap { $0.text("text") } ?? [])
            }
            stack.context.performAndWait {
                do {
                    let result = try stack.context.execute(later)
                    #expect(result is NSAsynchronousFetchResult<NSManagedObject>)
                    #expect((result as? NSAsynchronousFetchResult<NSManagedObject>)?.finalResult == nil)
                    #expect(
                        (result as? NSPersistentStoreAsynchronousResult)?.managedObjectContext
                            === stack.context)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        expect(texts, equals: ["a", "b"])
    }

    @Test func itsFailureIsInTheResult() throws {
        let stack = try filled()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate { _, _ in true }
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var failure: (any Error)?
        let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
            failure = result.operationError
            done.signal()
        }
        try stack.context.execute(later)
        done.wait()
        #expect(failure != nil)
    }

    @Test func progressCancelsTheFetch() throws {
        let stack = try filled()
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var failure: (any Error)?
        let later = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Note")
        ) { result in
            failure = result.operationError
            done.signal()
        }
        let progress = Progress(totalUnitCount: 1)
        try stack.context.run { () throws in
            progress.becomeCurrent(withPendingUnitCount: 1)
            let result = try stack.context.execute(later) as? NSPersistentStoreAsynchronousResult
            progress.resignCurrent()
            result?.cancel()
        }
        done.wait()
        expect((failure as? CocoaError)?.code, equals: .userCancelled)
    }

    @Test func aSaveRequestSaves() throws {
        let stack = try filled()
        try stack.context.run { () throws in
            let note = stack.context.make("Note")
            try stack.context.execute(
                NSSaveChangesRequest(inserted: [note], updated: nil, deleted: nil, locked: nil))
            #expect(!note.objectID.isTemporaryID && !stack.context.hasChanges)
        }
    }

    @Test func otherRequestsAreRefused() throws {
        final class Strange: NSPersistentStoreRequest {
            override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
        }
        let stack = try filled()
        let error = #expect(throws: NSError.self) { try stack.context.execute(Strange()) }
        #expect(
            error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreUnsupportedRequestTypeError
        )
    }
}
