// The same names in a file that imports Foundation as well.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct BothImportsTests {
    @Test func predicatesNeedNoQualification() throws {
        let predicate: NSPredicate = NSPredicate(format: "age > %@", 3)
        let parsed = try NSPredicate(parsing: "age > 3")
        let always = NSPredicate(value: true)
        let never = NSPredicate { _, _ in false }
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, always, never])
        #expect(!compound.evaluate(with: ["age": 4]))
        expect(predicate, equals: parsed)
        expect((predicate as? NSComparisonPredicate)?.predicateOperatorType, equals: .greaterThan)
        expect(
            (NSPredicate(format: "a == 1 OR b == 1") as? NSCompoundPredicate)?.compoundPredicateType,
            equals: .or)
        expect(compound.compoundPredicateType, equals: NSCompoundPredicate.LogicalType.and)
    }

    @Test func expressionsNeedNoQualification() {
        let path: NSExpression = NSExpression(forKeyPath: "age")
        let inferred = NSComparisonPredicate(
            leftExpression: path, rightExpression: NSExpression(forConstantValue: 3), modifier: .direct,
            type: .greaterThan)
        expect(inferred, equals: NSPredicate(format: "age > 3"))
        let parts: [NSExpression] = [inferred.leftExpression, inferred.rightExpression]
        expect(parts.map(\.expressionType), equals: [.keyPath, .constantValue])
        let type: NSComparisonPredicate.Operator = inferred.predicateOperatorType
        #expect(type == .greaterThan && inferred.options == NSComparisonPredicate.Options())
        expect(NSComparisonPredicate(age: 3), equals: NSPredicate(format: "age == 3"))
        expect(parts.map(\.kindName), equals: ["path", "other"])
    }

    @Test func objectsAreReleased() throws {
        weak var path: NSExpression?
        weak var comparison: NSComparisonPredicate?
        do {
            let made = NSExpression(forKeyPath: "age")
            let compared = NSComparisonPredicate(
                leftExpression: made, rightExpression: made, modifier: .any, type: .like,
                options: [.caseInsensitive])
            (path, comparison) = (made, compared)
            #expect(path != nil && comparison != nil)
        }
        #expect(path == nil && comparison == nil)
    }

    @Test func expressionsAreArchivedUnderFoundationsName() throws {
        let path = NSExpression(forKeyPath: "age")
        let made: TreeExpression = try #require(path as? TreeExpression)
        expect(ObjectIdentifier(made.classForCoder), equals: ObjectIdentifier(NSExpression.self))
        #expect(made.copy(with: nil) as? TreeExpression === made && made.description == "age")
        let same = NSExpression(format: "age")
        #expect(made.isEqual(same) && made.hash == same.hash && !made.isEqual("age"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: path, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data)
        #expect(read == path && read !== path)
    }

    @Test func sortDescriptorsNeedNoQualification() {
        let descriptors: [NSSortDescriptor] = [
            NSSortDescriptor(key: "name", ascending: true),
            NSSortDescriptor(key: "name", ascending: false, selector: .localizedStandardCompare),
            .init(key: "age", ascending: false),
        ]
        expect(descriptors.map(\.key), equals: ["name", "name", "age"])
        expect(descriptors.map(\.ascending), equals: [true, false, false])
        expect(descriptors.map { $0.selector }, equals: [.compare, .localizedStandardCompare, .compare])
    }
}

extension NSComparisonPredicate {
    fileprivate convenience init(age: Int) {
        self.init(
            leftExpression: NSExpression(forKeyPath: "age"),
            rightExpression: NSExpression(forConstantValue: age),
            modifier: .direct, type: .equalTo, options: [])
    }
}

extension NSExpression {
    fileprivate var kindName: String {
        switch expressionType {
        case .keyPath: "path"
        default: "other"
        }
    }
}
