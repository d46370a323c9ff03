// Filtering and sorting of collections.

import CoreData
import CoreDataTestSupport
import Testing

struct CollectionsPredicateTests {
    private let rows: [[String: Any]] = [
        ["name": "b10", "age": 1], ["name": "B9", "age": 2], ["name": "a", "age": 2],
        ["name": NSNull(), "age": 2],
    ]

    private func names(_ rows: [Any]) -> [String] {
        rows.map { ($0 as? [String: Any])?["name"] as? String ?? "-" }
    }

    @Test func everyCollectionFilters() {
        let long = NSPredicate(format: "length > 1")
        let words = ["a", "bb", "ccc"]
        expect(words.filtered(using: long), equals: ["bb", "ccc"])
        expect(Set(words).filtered(using: long), equals: ["bb", "ccc"])
        expect(NSArray(array: words).filtered(using: long) as? [String], equals: ["bb", "ccc"])
        expect(NSSet(array: words).filtered(using: long), equals: ["bb", "ccc"])
        expect(NSOrderedSet(array: words).filtered(using: long).array as? [String], equals: ["bb", "ccc"])
        let array = NSMutableArray(array: words)
        array.filter(using: long)
        expect(array as? [String], equals: ["bb", "ccc"])
        let set = NSMutableSet(array: words)
        set.filter(using: long)
        expect(set, equals: NSSet(array: ["bb", "ccc"]))
        let ordered = NSMutableOrderedSet(array: words)
        ordered.filter(using: long)
        expect(ordered.array as? [String], equals: ["bb", "ccc"])
    }

    @Test func descriptorsSortOneAfterTheOther() {
        let descriptors = [
            NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
        ]
        expect(names(rows.sorted(using: descriptors)), equals: ["-", "B9", "a", "b10"])
        expect(names(NSArray(array: rows).sortedArray(using: descriptors)), equals: ["-", "B9", "a", "b10"])
        let array = NSMutableArray(array: rows)
        array.sort(using: descriptors)
        expect(names(array.map { $0 }), equals: ["-", "B9", "a", "b10"])
        expect(
            NSSet(array: ["b", "a"]).sortedArray(using: [.init(key: nil, ascending: true)]) as? [String],
            equals: [
                "a", "b",
            ])
    }

    @Test(arguments: [
        (SortSelector.compare, ["-", "B9", "a", "b10"]), (.caseInsensitiveCompare, ["-", "a", "b10", "B9"]),
        (.localizedStandardCompare, ["-", "a", "B9", "b10"]),
    ]) func selectorsDecideTheOrder(selector: SortSelector, expected: [String]) {
        let descriptor = NSSortDescriptor(key: "name", ascending: true, selector: selector)
        expect(names(rows.sorted(using: [descriptor])), equals: expected)
        let reversed = NSSortDescriptor(key: "name", ascending: false, selector: selector)
        expect(names(rows.sorted(using: [reversed])), equals: expected.reversed())
    }

    @Test func compareTellsTheOrder() {
        let descriptor = NSSortDescriptor(key: "age", ascending: false)
        expect(descriptor.compare(rows[0], to: rows[1]), equals: .orderedDescending)
        expect(descriptor.compare(rows[1], to: rows[0]), equals: .orderedAscending)
        expect(descriptor.compare(rows[1], to: rows[2]), equals: .orderedSame)
    }

    @Test func aClosureComparesTheValuesOfAKey() {
        let byLength = NSSortDescriptor(key: "name", ascending: false) { left, right in
            let (left, right) = ((left as? String)?.count ?? 0, (right as? String)?.count ?? 0)
            return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
        }
        expect(names(rows.sorted(using: [byLength])), equals: ["b10", "B9", "a", "-"])
        expect(byLength.comparator("a", "bb"), equals: .orderedAscending)
        let reversed = byLength.reversedSortDescriptor as? NSSortDescriptor
        expect(reversed.map { names(rows.sorted(using: [$0])) }, equals: ["-", "a", "B9", "b10"])
    }
}
