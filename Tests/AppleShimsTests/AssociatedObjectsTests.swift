import AppleShims
import CoreDataTestSupport
import Foundation
import Testing

struct AssociatedObjectsTests {
    private final class Plain {}
    private final class Keys: @unchecked Sendable {  // only addresses are used
        let pointers = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)
        deinit { pointers.deallocate() }
    }

    @Test func valuesBelongToAnObjectAndAKey() {
        let keys = Keys()
        let (first, second) = (UnsafeRawPointer(keys.pointers), UnsafeRawPointer(keys.pointers + 1))
        let (one, other) = (Plain(), NSObject())
        objc_setAssociatedObject(one, first, "text", .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        objc_setAssociatedObject(one, second, 3, .OBJC_ASSOCIATION_RETAIN)
        objc_setAssociatedObject(other, first, one, .OBJC_ASSOCIATION_ASSIGN)
        expect(objc_getAssociatedObject(one, first) as? String, equals: "text")
        expect(objc_getAssociatedObject(one, second) as? Int, equals: 3)
        #expect(objc_getAssociatedObject(other, first) as? Plain === one)
        #expect(objc_getAssociatedObject(other, second) == nil)
        objc_setAssociatedObject(one, first, nil, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        #expect(objc_getAssociatedObject(one, first) == nil)
        objc_removeAssociatedObjects(one)
        #expect(objc_getAssociatedObject(one, second) == nil)
    }

    @Test func policiesCopyOrKeep() {
        let keys = Keys()
        let object = Plain()
        let text = NSMutableString(string: "a")
        objc_setAssociatedObject(object, keys.pointers, text, .OBJC_ASSOCIATION_COPY_NONATOMIC)
        objc_setAssociatedObject(object, keys.pointers + 1, text, .OBJC_ASSOCIATION_COPY)
        text.append("b")
        expect(objc_getAssociatedObject(object, keys.pointers) as? String, equals: "a")
        expect(objc_getAssociatedObject(object, keys.pointers + 1) as? String, equals: "a")
        objc_setAssociatedObject(object, keys.pointers, Plain(), .OBJC_ASSOCIATION_ASSIGN)
        #expect(objc_getAssociatedObject(object, keys.pointers) == nil)
    }

    @Test func valuesOfObjectsThatAreGoneAreLetGo() {
        let keys = Keys()
        weak var value: Plain?
        do {
            let (object, strong) = (Plain(), Plain())
            value = strong
            objc_setAssociatedObject(object, keys.pointers, strong, .OBJC_ASSOCIATION_RETAIN)
        }
        // Other tests attach values too: collecting takes as many as there are.
        for _ in 0..<100_000 where value != nil {
            objc_setAssociatedObject(Plain(), keys.pointers, 1, .OBJC_ASSOCIATION_RETAIN)
        }
        #expect(value == nil)
    }

    @Test func objectsHaveClasses() {
        #expect(object_getClass(Plain()) == Plain.self)
        #expect(object_getClass(NSNumber(value: 1) as NSObject) is NSNumber.Type)
        #expect(object_getClass(nil) == nil && object_getClass(Plain.self) == nil)
        #expect(class_getSuperclass(NSNumber.self) is NSValue.Type && class_getSuperclass(Plain.self) == nil)
        expect(ObjectiveC.autoreleasepool { 3 }, equals: 3)
    }

    @Test func queuesAreCompared() {
        let queue = DispatchQueue(label: "one")
        #expect(queue == queue && queue != DispatchQueue(label: "one"))
        expect(Set([queue, .main, queue]).count, equals: 2)
    }
}
