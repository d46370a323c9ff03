import Foundation
import StoreTools
import Testing

struct PrintedValueTests {
    @Test func `JSON escapes what it must`() {
        #expect(PrintedValue.text("a\"b\\c\n\u{1}é").json == "\"a\\\"b\\\\c\\n\\u0001é\"")
        #expect(PrintedValue.double(.nan).json == "\"nan\"")
        #expect(PrintedValue.double(0.1).json == "0.1")
        #expect(PrintedValue.double(3).json == "3")
        #expect(PrintedValue.bytes(Data([1, 2, 3])).json == "\"AQID\"")
        #expect(PrintedValue.object(["a": .list([.null, .bool(true)])]).json == "{\"a\": [null, true]}")
    }

    @Test func `Table cells stay on their line`() {
        #expect(PrintedValue.text("a\nb\t\u{1B}[31m").cell == "a\\nb\\t\\u{1b}[31m")
        #expect(PrintedValue.bytes(Data(count: 5)).cell == "<5 bytes>")
        #expect(PrintedValue.list([.integer(1), .null]).cell == "1, ")
    }

    @Test func `Wide characters take two columns`() {
        #expect("日本".displayWidth == 4)
        #expect("naïve".displayWidth == 5)
    }
}
