import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

struct ExternalValueTests {
    @Test func smallValuesStayInTheCell() {
        let value = ExternalValue(Data([5, 6]))
        expect(value, equals: .inline(Data([5, 6])))
        expect(value.cell, equals: Data([1, 5, 6]))
        expect(ExternalValue(cell: value.cell), equals: value)
        expect(ExternalValue(cell: Data([1])), equals: .inline(Data()))
    }

    @Test func largeValuesGetAFile() throws {
        let value = ExternalValue(Data(count: ExternalValue.largestInline + 1))
        guard case .file(let name) = value else {
            Issue.record("inline")
            return
        }
        #expect(UUID(uuidString: name) != nil)
        #expect(value.cell.count == 38 && value.cell.first == 2 && value.cell.last == 0)
        expect(ExternalValue(cell: value.cell), equals: value)
    }

    @Test func otherCellsAreRefused() {
        let path = Data([2]) + Data("../../../../../../../../../etc/passwd".utf8.prefix(36)) + Data([0])
        for cell in [Data(), Data([0, 1]), Data([2]), Data([2, 0]), path] {
            #expect(ExternalValue(cell: cell) == nil)
        }
    }

    @Test func theFolderIsBesideTheStore() {
        expect(ExternalValue.folder(forStore: "Store.sqlite"), equals: ".Store_SUPPORT/_EXTERNAL_DATA")
        expect(ExternalValue.folder(forStore: "a.b.sqlite"), equals: ".a.b_SUPPORT/_EXTERNAL_DATA")
        expect(ExternalValue.folder(forStore: "Store"), equals: ".Store_SUPPORT/_EXTERNAL_DATA")
    }
}
