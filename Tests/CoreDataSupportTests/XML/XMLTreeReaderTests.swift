// The XML parser: what documents may contain, and what is refused.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct XMLTreeReaderTests {
    private func read(_ text: String) throws -> XMLTree { try XMLTreeReader.read(Data(text.utf8)) }

    @Test func everythingADocumentMayContain() throws {
        let tree = try read(
            """
            \u{FEFF}<?xml version="1.0" encoding='UTF-8'?>
            <!DOCTYPE a SYSTEM "file:///a.dtd">
            <!-- a <comment> -->
            <a b = "1 &lt;&#65;&#x1F388;" c='"'
              d="x
            y"><?skip this?>t&amp;u<![CDATA[<&]]><e/><f>é</f ></a>
            <!-- end -->
            """)
        expect(
            tree,
            equals: XMLTree(
                "a",
                attributes: [
                    .init("b", value: "1 <A🎈"), .init("c", value: "\""), .init("d", value: "x y"),
                ],
                children: [XMLTree("e"), XMLTree("f", text: "é")], text: "t&u<&"))
    }

    @Test(arguments: [
        "", "text", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a b/>", "<a b=c/>", "<a b='1' b='2'/>",
        "<a b='<'/>",
        "<a>&b;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#99999999;</a>", "<a>& </a>", "<a>\u{1}</a>",
        "<1/>",
        "<a b='1'c='2'/>", "<a><!-- </a>", "<a/>text", "<!ELEMENT a>", "<a", "<a b='", "<", "<a>&#;</a>",
        "<a><!-- \u{1} --></a>", "<a><![CDATA[\u{1F}]]></a>", "<a>&aaaaaaaaaaaaaaa;</a>", "<a>&amp</a>",
        "<a><![CDATA[]]</a>", "<!DOCTYPE a [ ]><a/>", "<!DOCTYPE a", "<a><!ENTITY b 'c'></a>",
    ])
    func brokenDocumentsThrow(_ text: String) {
        #expect(throws: ArchiveFailure.self) { try read(text) }
    }

    @Test func bytesThatAreNoUTF8Throw() {
        #expect(throws: ArchiveFailure("the XML document is not UTF-8")) {
            try XMLTreeReader.read(Data("<a b='".utf8) + [0xFF] + Data("'/>".utf8))
        }
    }

    @Test func beginningsOfTokensAreText() throws {
        let text = "<!-- - -- > ! -->\n<a b='1;&amp;;\"'>]]\r\n<![CDATA[]\r]]]>;&#13;&gt;!</a>"
        try expect(
            read(text),
            equals: XMLTree("a", attributes: [.init("b", value: "1;&;\"")], text: "]]\n]\n];\r>!"))
        try expect(read("<a b='\r\n&#9;\t'/>").attributes, equals: [.init("b", value: " \t ")])
    }

    @Test func theLineIsNamed() {
        #expect(throws: ArchiveFailure("there is a control character, in line 2")) {
            try read("<a>\n\u{2}</a>")
        }
        #expect(throws: ArchiveFailure("</b> closes nothing, in line 3")) { try read("<a>\n\n</b></a>") }
    }
}
