// Swift's sort descriptors as NSSortDescriptor.

import CoreData
import CoreDataPredicate
import CoreDataTestSupport
import Testing

@Suite struct SortDescriptorConversionTests {
    private final class Plain: NSObject {
        var size: Int
        init(_ size: Int) { self.size = size }
    }

    private let stack: TestStack

    init() throws {
        stack = try TestStack(model: ChampionModel.make())
    }

    @Test func keyOrderAndComparatorStay() {
        expect(
            NSSortDescriptor(SortDescriptor(\Champion.boss?.name, order: .reverse)).sortKey,
            equals: SortKey("boss.name", ascending: false, comparison: .localizedStandardCompare))
        expect(NSSortDescriptor(SortDescriptor(\Champion.age)).sortKey, equals: SortKey("age"))
        expect(
            NSSortDescriptor(SortDescriptor(\Champion.name, comparator: .lexical)).sortKey,
            equals: SortKey("name"))
    }

    @Test func stringsWithoutAComparatorAreSortedAsAFileListIs() {
        expect(
            NSSortDescriptor(SortDescriptor(\Champion.name)).sortKey,
            equals: SortKey("name", comparison: .localizedStandardCompare))
        expect(
            NSSortDescriptor(SortDescriptor(\Champion.nick)).sortKey,
            equals: SortKey("nick", comparison: .localizedStandardCompare))
    }

    @Test func aClosureDecidesWhereThereIsOne() {
        let byLength = NSSortDescriptor(keyPath: \Champion.nick, ascending: true) { first, second in
            let (first, second) = (first as? String ?? "", second as? String ?? "")
            return first.count < second.count ? .orderedAscending : .orderedDescending
        }
        #expect(byLength.sortKey == nil)
    }

    @Test func otherObjectsAreSortedInMemory() {
        let descriptor = NSSortDescriptor(SortDescriptor(\Plain.size, order: .reverse))
        #expect(descriptor.sortKey == nil)
        expect([Plain(1), Plain(3), Plain(2)].sorted(using: [descriptor]).map(\.size), equals: [3, 2, 1])
        let upwards = NSSortDescriptor(SortDescriptor(\Plain.size))
        expect([Plain(1), Plain(3), Plain(2)].sorted(using: [upwards]).map(\.size), equals: [1, 2, 3])
    }
}
