import AppleShims
import CoreDataTestSupport
import Foundation
import Testing

struct NSMapTableTests {
    private final class Plain {}

    @Test func tablesFindWhatIsEqual() {
        let table = NSMapTable<NSString, NSNumber>.strongToStrongObjects()
        table.setObject(1, forKey: NSString(string: "one"))
        table.setObject(2, forKey: NSString(string: "two"))
        table.setObject(3, forKey: NSString(string: "one"))
        table.setObject(nil, forKey: NSString(string: "two"))
        #expect(table.object(forKey: NSString(string: "one")) == 3 && table.count == 2)
        #expect(table.object(forKey: nil) == nil)
        expect(table.dictionaryRepresentation(), equals: ["one" as NSString: 3, "two" as NSString: 2])
        expect(Set(table.keyEnumerator().compactMap { $0 as? String }), equals: ["one", "two"])
        table.removeObject(forKey: NSString(string: "one"))
        #expect(table.object(forKey: NSString(string: "one")) == nil)
        expect(table.objectEnumerator()?.allObjects.count, equals: 1)
        table.removeAllObjects()
        expect(table.count, equals: 0)
    }

    @Test func keysThatAreGoneTakeTheirValues() {
        let table = NSMapTable<AnyObject, Plain>.weakToStrongObjects()
        weak var value: Plain?
        do {
            let key = Plain()
            let strong = Plain()
            value = strong
            table.setObject(strong, forKey: key)
            #expect(table.object(forKey: key) === value && table.object(forKey: Plain()) == nil)
        }
        expect(table.count, equals: 0)
        let keys = (0..<100).map { _ in Plain() }
        for key in keys { table.setObject(Plain(), forKey: key) }
        withExtendedLifetime(keys) { #expect(table.count == 100 && value == nil) }
    }

    @Test func valuesNeedNotBeKept() {
        let table = NSMapTable<NSString, Plain>.strongToWeakObjects()
        let both = NSMapTable<Plain, Plain>.weakToWeakObjects()
        let kept = Plain()
        table.setObject(kept, forKey: "kept")
        table.setObject(Plain(), forKey: "gone")
        both.setObject(kept, forKey: kept)
        #expect(table.object(forKey: "kept") === kept && table.object(forKey: "gone") == nil)
        expect(both.count, equals: 1)
    }

    @Test func optionsChooseIdentityAndCopies() {
        let byIdentity = NSMapTable<NSString, NSString>(
            keyOptions: [.objectPointerPersonality, .strongMemory], valueOptions: .objectPersonality)
        byIdentity.setObject("a", forKey: NSString(string: "key"))
        #expect(byIdentity.object(forKey: NSString(string: "key")) == nil)
        let copying = NSMapTable<NSString, NSMutableString>(keyOptions: .copyIn, valueOptions: .strongMemory)
        let key = NSMutableString(string: "key")
        copying.setObject(NSMutableString(string: "value"), forKey: key)
        key.append("s")
        expect(copying.object(forKey: "key"), equals: "value")
        expect(NSPointerFunctions.Options(rawValue: 5), equals: .weakMemory)
    }
}
