// Tokens as values: equality, copies, archives.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSQueryGenerationTokenTests {
    private func archived(_ token: NSQueryGenerationToken) throws -> NSQueryGenerationToken? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
    }

    @Test(arguments: StoreKind.inPlace) func currentEqualsItselfOnly(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.snapshot()
        let token = try #require(pair.pinned.run { pair.pinned.queryGenerationToken })
        expect(NSQueryGenerationToken.current, equals: .current)
        #expect(token != .current)
        #expect(try token == pair.pinned.run { pair.pinned.queryGenerationToken })
        try expect(token.hash, equals: pair.pinned.run { pair.pinned.queryGenerationToken }?.hash)
        expect(token.copy() as? NSQueryGenerationToken, equals: token)
    }

    @Test func currentComesBackFromAnArchive() throws {
        try expect(archived(.current), equals: .current)
    }

    @Test(arguments: StoreKind.inPlace) func aGenerationComesBackWhileItIsInUse(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        let token = try #require(pair.pinned.run { pair.pinned.queryGenerationToken })
        let copy = try #require(try archived(token))
        expect(copy, equals: token)
        try pair.change()
        let other = pair.container.newBackgroundContext()
        try other.run { try other.setQueryGenerationFrom(copy) }
        try expect(PinnedPair.names(other), equals: ["p0", "p1", "p2"])
    }

    @Test(arguments: StoreKind.inPlace) func aGenerationThatIsGoneHasExpired(_ kind: StoreKind) throws {
        let pair = try PinnedPair(in: kind)
        try pair.fill()
        try pair.snapshot()
        let data = try pair.pinned.run { () throws in
            try NSKeyedArchiver.archivedData(
                withRootObject: try #require(pair.pinned.queryGenerationToken), requiringSecureCoding: true)
        }
        try pair.pinned.run { try pair.pinned.setQueryGenerationFrom(nil) }
        let token = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data))
        try pair.pinned.run { () throws in
            let error = #expect(throws: NSError.self) { try pair.pinned.setQueryGenerationFrom(token) }
            expect(error?.code, equals: NSPersistentStoreOperationError)
            #expect(pair.pinned.queryGenerationToken == nil)
        }
    }

    @Test func theCurrentTokenIsItsOwnCopyAndComesBack() throws {
        let current = NSQueryGenerationToken.current
        #expect(current.isEqual(NSQueryGenerationToken.current) && !current.isEqual("current"))
        expect((current.copy(with: nil) as? NSQueryGenerationToken)?.isEqual(current), equals: true)
        #expect(!current.description.isEmpty && NSQueryGenerationToken.supportsSecureCoding)
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        current.encode(with: archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.decodingFailurePolicy = .setErrorAndReturn
        expect(NSQueryGenerationToken(coder: reader)?.isEqual(current), equals: true)
    }
}
