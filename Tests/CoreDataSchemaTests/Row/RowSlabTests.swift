import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RowSlabTests {
    private func shape() throws -> RowShape {
        let entity = EntitySchema(
            name: "Thing",
            properties: ["a", "b"].map { PropertySchema(name: $0, kind: .attribute(.init(.string))) })
        let index = ModelIndex(ModelSchema(entities: [entity]))
        return RowShape([RowLayout(entity: try #require(index.entity("Thing")), in: index)])
    }

    /// Text that fits the arena of the first allocation, and text that needs others.
    @Test(arguments: [0, 1, 64, 5000], [1, 3, 256])
    func textStaysWhatItIsWhileTheArenaGrows(arenaCapacity: Int, capacity: Int) throws {
        let slab = RowSlab(try shape(), capacity: capacity, arenaCapacity: arenaCapacity)
        var references: [(reference: CellReference, text: String)] = []
        for number in 0..<capacity {
            slab.primaryKeys[number] = Int64(number)
            slab.entities[number] = Int32(-number)
            slab.row(number)[1] = UInt64(number)
            let text = String(repeating: "é\(number)", count: number % 7)
            var copy = text
            let word = copy.withUTF8 { slab.store(UnsafeRawBufferPointer($0)) }
            references.append((CellReference(word: word), text))
        }
        slab.count = capacity
        for (number, cell) in references.enumerated() {
            #expect(cell.reference.word != 0 && slab.text(cell.reference) == cell.text)
            #expect(slab.primaryKeys[number] == Int64(number) && slab.entities[number] == Int32(-number))
            expect(slab.row(number)[1], equals: UInt64(number))
        }
    }

    @Test func aSlabIsFilledAgain() throws {
        let slab = RowSlab(try shape(), capacity: 2, arenaCapacity: 0)
        for round in 0..<3 {
            var text = String(repeating: "x", count: 50 * round + 1)
            let word = text.withUTF8 { slab.store(UnsafeRawBufferPointer($0)) }
            expect(slab.text(CellReference(word: word)), equals: text)
            slab.removeAll()
            #expect(slab.count == 0 && slab.arenaUsed == 8)
        }
    }
}
