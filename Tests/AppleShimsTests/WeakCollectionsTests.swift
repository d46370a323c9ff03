import AppleShims
import CoreDataTestSupport
import Foundation
import Testing

/// Of Swift's own kind: compared by identity.
private final class Listener {}

struct WeakCollectionsTests {
    @Test func aTableHoldsItsMembersWeakly() {
        let table = NSHashTable<Listener>.weakObjects()
        let kept = Listener()
        table.add(kept)
        table.add(kept)
        table.add(nil)
        for _ in 0..<100 { table.add(Listener()) }
        #expect(table.count == 1 && table.contains(kept) && table.anyObject === kept)
        #expect(table.allObjects.first === kept && table.allObjects.count == 1)
        #expect(table.objectEnumerator().nextObject() as? Listener === kept)
        table.remove(kept)
        table.remove(nil)
        #expect(table.count == 0 && !table.contains(kept))
    }

    @Test func membersAreComparedAsTheOptionsSay() {
        let (one, equal) = (NSNumber(value: 1 << 40), NSNumber(value: 1 << 40))
        let byValue = NSHashTable<NSNumber>()
        byValue.add(one)
        byValue.add(equal)
        #expect(byValue.count == 1 && byValue.member(equal) === one && byValue.setRepresentation == [one])
        let byIdentity = NSHashTable<NSNumber>(options: [.objectPointerPersonality])
        byIdentity.add(one)
        byIdentity.add(equal)
        expect(byIdentity.count, equals: 2)
        byIdentity.removeAllObjects()
        expect(byIdentity.count, equals: 0)
        let copying = NSHashTable<NSString>(options: .copyIn, capacity: 4)
        let text = NSMutableString(string: "a")
        copying.add(text)
        text.append("b")
        expect(copying.allObjects, equals: ["a"])
    }

    @Test func mapsHoldKeysAndValuesAsTheyAreMade() {
        let maps: [(NSMapTable<Listener, Listener>, key: Bool, value: Bool)] = [
            (.strongToStrongObjects(), true, true), (.weakToStrongObjects(), false, true),
            (.strongToWeakObjects(), true, false), (.weakToWeakObjects(), false, false),
        ]
        for (map, keepsKey, keepsValue) in maps {
            weak var key: Listener?
            weak var value: Listener?
            do {
                let (someKey, someValue) = (Listener(), Listener())
                (key, value) = (someKey, someValue)
                map.setObject(someValue, forKey: someKey)
                #expect(map.object(forKey: someKey) === someValue && map.count == 1)
            }
            #expect((key != nil) == keepsKey && (value != nil) == keepsValue)
            expect(map.count, equals: (keepsKey && keepsValue ? 1 : 0))
            map.removeAllObjects()
        }
    }

    @Test func mapsReplaceAndRemove() {
        let map = NSMapTable<NSString, NSNumber>(
            keyOptions: [], valueOptions: .strongMemory, capacity: 2)
        for number in 0..<40 { map.setObject(NSNumber(value: number), forKey: "\(number)" as NSString) }
        map.setObject(70, forKey: "7")
        map.setObject(nil, forKey: "8")
        #expect(map.count == 40 && map.object(forKey: "7") == 70 && map.object(forKey: "8") == 8)
        map.removeObject(forKey: "7")
        map.removeObject(forKey: "none")
        #expect(map.count == 39 && map.object(forKey: "7") == nil && map.object(forKey: nil) == nil)
        expect(map.keyEnumerator().allObjects.count, equals: 39)
        expect(map.objectEnumerator()?.allObjects.count, equals: 39)
    }

    @Test func pointersMayBeGone() {
        let array = NSPointerArray.weakObjects()
        let kept = Listener()
        func address(_ object: AnyObject) -> UnsafeMutableRawPointer {
            Unmanaged.passUnretained(object).toOpaque()
        }
        do {
            let gone = Listener()
            array.addPointer(address(gone))
            array.addPointer(address(kept))
            array.insertPointer(nil, at: 0)
            #expect(array.count == 3 && array.pointer(at: 1) == address(gone))
            withExtendedLifetime(gone) {}
        }
        #expect(array.count == 3 && array.allObjects.count == 1 && array.pointer(at: 1) == nil)
        array.compact()
        #expect(array.count == 1 && array.pointer(at: 0) == address(kept))
        array.replacePointer(at: 0, withPointer: nil)
        array.removePointer(at: 0)
        #expect(array.count == 0 && NSPointerArray.strongObjects().count == 0)
    }

    @Test func aPlaceThatIsNotThereEndsTheProcess() async {
        await #expect(processExitsWith: .failure) { NSPointerArray.weakObjects().removePointer(at: 0) }
    }
}
