// What a row owns by reference.

import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct CellReferenceTests {
    @Test func aTextIsReplacedOnlyWhereNobodyElseHasIt() {
        let reference = CellReference(retaining: CellBox(text: "a"))
        defer { reference.release() }
        #expect(CellBox.replace(reference, by: "b"))
        expect(reference.box.text, equals: "b")
        let held = reference.box
        #expect(!CellBox.replace(reference, by: "c"))
        #expect(held.text == "b" && reference.box === held)
    }

    @Test func whatIsNoTextStays() {
        let reference = CellReference(retaining: CellBox(.integer(1)))
        defer { reference.release() }
        #expect(!CellBox.replace(reference, by: "a") && reference.box.value == .integer(1))
    }
}
