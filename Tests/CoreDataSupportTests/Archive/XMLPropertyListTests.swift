// XML property lists and documents.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct XMLPropertyListTests {
    @Test func foundationsXMLReads() throws {
        let list: [String: Any] = [
            "text": "a & b", "number": -7, "real": 2.5, "yes": true, "data": Data([1, 2, 3]),
            "list": ["x", ["y": 1]] as [Any], "date": Date(timeIntervalSinceReferenceDate: 86_400),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        let read = try PropertyList.read(data)
        expect(read["text"], equals: .string("a & b"))
        expect(read["number"], equals: .integer(-7))
        expect(read["real"], equals: .real(2.5))
        expect(read["yes"], equals: .bool(true))
        expect(read["data"], equals: .data(Data([1, 2, 3])))
        expect(read["list"], equals: .array([.string("x"), .dictionary([.init("y", value: .integer(1))])]))
        expect(read["date"], equals: .date(Date(timeIntervalSinceReferenceDate: 86_400)))
    }

    @Test(arguments: [
        "<plist/>", "<plist><dict><key>a</key></dict></plist>", "<plist><integer>x</integer></plist>", "<a/>",
        "",
    ])
    func brokenListsThrow(_ text: String) {
        #expect(throws: ArchiveFailure.self) { try PropertyList.read(Data(text.utf8)) }
    }

    @Test func aDocumentSurvives() throws {
        let tree = XMLTree(
            "a", attributes: [.init("b", value: "<&\"'>\n\té"), .init("c", value: "")],
            children: [XMLTree("d", text: "text & <more>"), XMLTree("e")])
        let read = try XMLTreeReader.read(XMLTreeWriter.data(for: tree))
        expect(read.attributes, equals: tree.attributes)
        expect(read.children, equals: tree.children)
    }

    @Test func aControlCharacterCantBeWritten() {
        #expect(throws: ArchiveFailure("XML can't hold the character U+1")) {
            try XMLTreeWriter.data(for: XMLTree("a", text: "\u{1}"))
        }
    }
}
