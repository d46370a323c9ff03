// Tokens: compared, archived.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSPersistentHistoryTokenTests {
    @Test func anArchivedTokenIsTheSame() throws {
        let fixture = try HistoryFixture()
        try fixture.saveNote("a")
        let token = try fixture.token()
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data))
        #expect(back == token && back.hash == token.hash && back !== token)
        #expect(back.isEqual(token.copy()))
        try fixture.saveNote("b")
        try expect(fixture.transactions(.fetchHistory(after: back)).map(\.transactionNumber), equals: [2])
        #expect(try fixture.token() != back)
        #expect(NSPersistentHistoryToken.supportsSecureCoding)
    }

    @Test func aTokenCodesItself() throws {
        let fixture = try HistoryFixture()
        try fixture.saveNote("a")
        let token = try fixture.token()
        let full = NSKeyedArchiver(requiringSecureCoding: true)
        token.encode(with: full)
        try expect(
            NSPersistentHistoryToken(coder: NSKeyedUnarchiver(forReadingFrom: full.encodedData)),
            equals: token)
    }

    @Test func aTokenIsItsOwnCopyAndSaysWhereItStands() throws {
        let fixture = try HistoryFixture()
        try fixture.saveNote("a")
        let token = try fixture.token()
        #expect(token.copy(with: nil) as? NSPersistentHistoryToken === token)
        let identifier: String = fixture.store.identifier
        expect(token.description, equals: "<NSPersistentHistoryToken \(identifier): 1>")
    }
}
