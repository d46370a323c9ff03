import CoreData
import OSLog

public enum FeedError: Error {
    case wrongDataFormat(error: Error)
    case missingData
    case batchInsertError
    case batchDeleteError
    case unexpectedError(error: Error)
}

extension FeedError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .wrongDataFormat(let error):
            return String(localized: "Could not digest the fetched data. \(error.localizedDescription)")
        case .missingData: return NSLocalizedString("Found and will discard an entry.", comment: "")
        case .batchInsertError:
            return NSLocalizedString("Failed to execute a batch insert request.", comment: "")
        case .batchDeleteError:
            return NSLocalizedString("Failed to execute a batch delete request.", comment: "")
        case .unexpectedError(let error): return "Received unexpected error. \(error.localizedDescription)"
        }
    }
}

/// One entry of the feed.
struct FeedEntry: Decodable {
    let code: String
    let text: String
    let date: Date

    var dictionaryValue: [String: Any] {
        ["code": code, "text": text, "date": date]
    }
}

/// Imports a feed in the background, and deletes by IDs.
public class FeedImporter {
    private let stack: JournalStack
    private let logger = Logger(subsystem: "org.example.journal", category: "feed")

    public init(_ stack: JournalStack) { self.stack = stack }

    public func importFeed(_ data: Data) async throws -> Int {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let entries: [FeedEntry]
        do {
            entries = try decoder.decode([FeedEntry].self, from: data)
        } catch {
            throw FeedError.wrongDataFormat(error: error)
        }
        logger.debug("Start importing \(entries.count) entries")
        return try await insert(entries)
    }

    private func insert(_ entries: [FeedEntry]) async throws -> Int {
        guard !entries.isEmpty else { return 0 }
        let context = stack.newTaskContext()
        context.name = "importContext"
        context.transactionAuthor = "importEntries"
        return try await context.perform {
            let request = self.newBatchInsertRequest(with: entries)
            request.resultType = .count
            if let fetchResult = try? context.execute(request),
                let batchInsertResult = fetchResult as? NSBatchInsertResult,
                let count = batchInsertResult.result as? Int
            {
                return count
            }
            self.logger.debug("Failed to execute batch insert request.")
            throw FeedError.batchInsertError
        }
    }

    private func newBatchInsertRequest(with entries: [FeedEntry]) -> NSBatchInsertRequest {
        var index = 0
        let total = entries.count
        return NSBatchInsertRequest(
            entity: Entry.entity(),
            dictionaryHandler: { dictionary in
                guard index < total else { return true }
                dictionary.addEntries(from: entries[index].dictionaryValue)
                index += 1
                return false
            })
    }

    public func delete(_ entries: [Entry]) async throws {
        let objectIDs = entries.map { $0.objectID }
        let context = stack.newTaskContext()
        context.transactionAuthor = "deleteEntries"
        try await context.perform {
            let request = NSBatchDeleteRequest(objectIDs: objectIDs)
            guard let fetchResult = try? context.execute(request),
                let result = fetchResult as? NSBatchDeleteResult,
                let success = result.result as? Bool, success
            else { throw FeedError.batchDeleteError }
        }
    }

    /// Adds a star to each entry of a tag, and says how many there were.
    public func rate(_ tag: String, _ stars: Int) throws -> Int {
        let request = NSBatchUpdateRequest(entityName: "Entry")
        request.predicate = NSPredicate(format: "ANY tags.name ==[c] %@", tag)
        request.propertiesToUpdate = [#keyPath(Entry.rating): stars]
        request.resultType = .updatedObjectIDsResultType
        let context = stack.newTaskContext()
        return try context.performAndWait {
            let result = try context.execute(request) as? NSBatchUpdateResult
            let ids = result?.result as? [NSManagedObjectID] ?? []
            let changes: [AnyHashable: Any] = [NSUpdatedObjectsKey: ids]
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: changes, into: [self.stack.container.viewContext])
            return ids.count
        }
    }

    public func decode(_ data: Data) throws -> [Entry] {
        let context = stack.container.viewContext
        let decoder = JSONDecoder()
        decoder.userInfo[CodingUserInfoKey.context] = context
        decoder.dateDecodingStrategy = .secondsSince1970
        let entries = try decoder.decode([Entry].self, from: data)
        try context.save()
        return entries
    }
}
