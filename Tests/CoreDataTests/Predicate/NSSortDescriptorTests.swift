// Sort descriptors as a client sees them, and their sort keys.

import CoreData
import CoreDataPredicate
import CoreDataTestSupport
import Testing

struct NSSortDescriptorTests {
    /// Knows its keys as a managed object class does.
    final class Person: NSObject, KeyPathNaming {
        var name: String?
        var age = 0

        static func key(for keyPath: AnyKeyPath) -> String? {
            switch keyPath {
            case \Person.name: "name"
            case \Person.age: "age"
            default: nil
            }
        }
    }

    @Test func keysBecomeSortKeys() {
        expect(NSSortDescriptor(key: "a.b", ascending: true).sortKey, equals: SortKey("a.b"))
        expect(
            NSSortDescriptor(key: "a", ascending: false, selector: .caseInsensitiveCompare).sortKey,
            equals: SortKey("a", ascending: false, comparison: .caseInsensitiveCompare))
        expect(NSSortDescriptor(key: "a", ascending: true, selector: nil).sortKey, equals: SortKey("a"))
        expect(NSSortDescriptor.make(SortKey("a")), equals: NSSortDescriptor(key: "a", ascending: true))
        #expect(NSSortDescriptor(key: nil, ascending: true).key == nil)
    }

    @Test func keyPathsWithANameBecomeSortKeys() {
        expect(
            NSSortDescriptor(keyPath: \Person.age, ascending: false).sortKey,
            equals: SortKey("age", ascending: false))
        expect(NSSortDescriptor(keyPath: \Person.name, ascending: true).sortKey, equals: SortKey("name"))
        expect(NSSortDescriptor(keyPath: \Person.age, ascending: true).key, equals: "age")
        expect(NSExpression(forKeyPath: \Person.name).keyPath, equals: "name")
    }

    /// Helpers of apps often say nothing of the root, as Apple's initialisers don't.
    private func sorted<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> NSSortDescriptor {
        NSSortDescriptor(keyPath: keyPath, ascending: false)
    }

    private func ordered<Root, Value: Comparable>(_ keyPath: KeyPath<Root, Value>) -> NSSortDescriptor {
        NSSortDescriptor(keyPath: keyPath, ascending: false)
    }

    private func path<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> String {
        CoreData.NSExpression(forKeyPath: keyPath).keyPath
    }

    @Test func genericCodeNeedsNoConstraint() async {
        expect(sorted(\Person.name).sortKey, equals: SortKey("name", ascending: false))
        expect(sorted(\Person.age).sortKey, equals: SortKey("age", ascending: false))
        expect(ordered(\Person.age).sortKey, equals: SortKey("age", ascending: false))
        expect(path(\Person.name), equals: "name")
        await #expect(processExitsWith: .failure) { _ = NSSortDescriptorTests().sorted(\String.first) }
        await #expect(processExitsWith: .failure) { _ = NSSortDescriptorTests().path(\String.first) }
    }

    @Test func closuresHaveNoSortKey() {
        let byKey = NSSortDescriptor(key: "a", ascending: true, comparator: { _, _ in .orderedSame })
        #expect(byKey.sortKey == nil)
        expect(byKey.key, equals: "a")
        #expect(byKey.selector == nil)
        let byPath = NSSortDescriptor(
            keyPath: \Person.age, ascending: true, comparator: { _, _ in .orderedSame })
        #expect(byPath.sortKey == nil)
        #expect(NSSortDescriptor(keyPath: \String.count, ascending: true).sortKey == nil)
    }

    @Test func selectorsAreKnownByName() {
        expect(SortSelector("localizedStandardCompare:"), equals: .localizedStandardCompare)
        expect(SortSelector("compare"), equals: .compare)
        #expect(SortSelector("frobnicate:") == nil)
        expect(
            SortSelector.localizedCaseInsensitiveCompare.description,
            equals: "localizedCaseInsensitiveCompare:")
        expect(
            NSSortDescriptor(key: "a", ascending: true, selector: .localizedCompare).selector,
            equals: .localizedCompare)
    }

    @Test func reversingTurnsTheDirectionOnly() throws {
        let descriptor = NSSortDescriptor(key: "a", ascending: true, selector: .localizedCompare)
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        expect(reversed.sortKey, equals: SortKey("a", ascending: false, comparison: .localizedCompare))
        #expect(!reversed.ascending)
        expect(reversed.reversedSortDescriptor as? NSSortDescriptor, equals: descriptor)
    }

    @Test func equalityIsStructural() {
        let descriptor = NSSortDescriptor(key: "a", ascending: true)
        expect(descriptor, equals: NSSortDescriptor(key: "a", ascending: true, selector: .compare))
        expect(descriptor.hash, equals: NSSortDescriptor(key: "a", ascending: true).hash)
        #expect(descriptor != NSSortDescriptor(key: "a", ascending: false))
        #expect(descriptor != NSSortDescriptor(key: "b", ascending: true))
        #expect(descriptor != NSSortDescriptor(key: "a", ascending: true, selector: .localizedCompare))
        expect(descriptor.copy() as? NSSortDescriptor, equals: descriptor)
    }

    @Test func anUnknownKeyPathStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ = NSSortDescriptor(keyPath: \Person.name?.first, ascending: true)
        }
    }
}
