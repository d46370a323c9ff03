// The same names in a file that imports Foundation as well.

import CoreData
import Foundation
import Testing

private typealias NSExpression = CoreData.NSExpression
private typealias NSComparisonPredicate = CoreData.NSComparisonPredicate

struct BothImportsTests {
    @Test func predicatesNeedNoQualification() throws {
        let predicate: NSPredicate = NSPredicate(format: "age > %@", 3)
        let parsed = try NSPredicate(parsing: "age > 3")
        let always = NSPredicate(value: true)
        let never = NSPredicate { _, _ in false }
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, always, never])
        #expect(!compound.evaluate(with: ["age": 4]))
        #expect(predicate == parsed)
        #expect((predicate as? NSComparisonPredicate)?.predicateOperatorType == .greaterThan)
        #expect(
            (NSPredicate(format: "a == 1 OR b == 1") as? NSCompoundPredicate)?.compoundPredicateType == .or)
        #expect(compound.compoundPredicateType == NSCompoundPredicate.LogicalType.and)
    }

    @Test func expressionsNeedATypealiasAsTypesOnly() {
        let path: NSExpression = NSExpression(forKeyPath: "age")
        let inferred = NSComparisonPredicate(
            leftExpression: path, rightExpression: NSExpression(forConstantValue: 3), modifier: .direct,
            type: .greaterThan)
        #expect(inferred == NSPredicate(format: "age > 3"))
    }

    @Test func sortDescriptorsNeedNoQualification() {
        let descriptors: [NSSortDescriptor] = [
            NSSortDescriptor(key: "name", ascending: true),
            NSSortDescriptor(key: "name", ascending: false, selector: .localizedStandardCompare),
            .init(key: "age", ascending: false),
        ]
        #expect(descriptors.map(\.key) == ["name", "name", "age"])
        #expect(descriptors.map(\.ascending) == [true, false, false])
        #expect(descriptors.map { $0.selector } == [.compare, .localizedStandardCompare, .compare])
    }
}
