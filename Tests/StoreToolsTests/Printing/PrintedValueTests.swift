import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

struct PrintedValueTests {
    @Test func `JSON escapes what it must`() {
        expect(PrintedValue.text("a\"b\\c\n\u{1}é").json, equals: "\"a\\\"b\\\\c\\n\\u0001é\"")
        expect(PrintedValue.double(.nan).json, equals: "\"nan\"")
        expect(PrintedValue.double(0.1).json, equals: "0.1")
        expect(PrintedValue.double(3).json, equals: "3")
        expect(PrintedValue.bytes(Data([1, 2, 3])).json, equals: "\"AQID\"")
        expect(PrintedValue.object(["a": .list([.null, .bool(true)])]).json, equals: "{\"a\": [null, true]}")
    }

    @Test func `Table cells stay on their line`() {
        expect(PrintedValue.text("a\nb\t\u{1B}[31m").cell, equals: "a\\nb\\t\\u{1b}[31m")
        expect(PrintedValue.bytes(Data(count: 5)).cell, equals: "<5 bytes>")
        expect(PrintedValue.list([.integer(1), .null]).cell, equals: "1, ")
    }

    @Test func `Wide characters take two columns`() {
        expect("日本".displayWidth, equals: 4)
        expect("naïve".displayWidth, equals: 5)
    }
}
