// The objects of the differential test: eight items, three boxes, three labels.

import CoreData
import Foundation

enum DifferentialRows {
    static let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"
    static let specials: Set<Int> = [1, 8]

    static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    private static func decimal(_ text: String) -> Any { Decimal(string: text) as Any }

    /// Attributes by the item's id; what is not there is nil. Item 4 has nothing.
    static var items: [Int: [String: Any]] {
        [
            1: [
                "i16": 5, "i32": 100, "i64": 10, "dbl": 2.5, "flt": 1.5, "dec": decimal("10.5"), "flag": true,
                "str": "Anna", "text": "line one\nline two", "date": date(0),
                "uuid": UUID(uuidString: uuid) as Any,
                "uri": URL(string: "http://a.example/x") as Any, "blob": Data([1, 2]), "tags": ["x", "y"],
                "extra": "boss",
            ],
            2: [
                "i16": -5, "i32": 0, "i64": Int64.max, "dbl": -2.5, "dec": decimal("-7.25"), "flag": false,
                "str": "ben", "text": "Ben", "date": date(100),
                "uuid": UUID(uuidString: "00000000-0000-0000-0000-000000000000") as Any,
                "blob": Data(),
            ],
            3: ["i16": 0, "i64": 0, "dbl": 0.0, "dec": 0, "str": "Ärmel", "text": "ärmel"],
            4: [:],
            5: [
                "i16": 7, "i32": 3, "i64": Int64.min, "dbl": 1e300, "dec": 7, "flag": true, "str": "",
                "text": "12abc", "date": date(-100.5), "flt": 0.5,
            ],
            6: [
                "i16": 5, "i32": -3, "i64": 3, "dbl": 2.0, "dec": decimal("2.5"), "flag": false,
                "str": "a*b?c\\d", "text": "100%", "date": date(86400), "tags": [String](),
            ],
            7: [
                "i16": 32767, "i64": Int64(9_007_199_254_740_993), "dbl": 9_007_199_254_740_992.0,
                "dec": decimal("9.99"), "str": "o'Neil \"q\" 😀", "text": "e\u{301}", "flt": -1.5,
                "uri": URL(string: "file:///tmp/%20a") as Any,
            ],
            8: [
                "i16": -7, "i32": 2, "i64": -1, "dbl": -0.5, "dec": decimal("0.5"), "flag": true,
                "str": "ÄRMEL\nB", "text": "é", "date": date(0), "extra": "",
            ],
        ]
    }

    static let parents = [2: 1, 3: 1, 5: 2, 6: 2, 7: 3, 8: 7]
    static let friends = [1: [2, 3, 4], 2: [1], 4: [1], 5: [5], 6: [4], 7: [2, 6]]
    static let labels = [1: [1, 2], 2: [1], 6: [3], 8: [2, 3]]
    /// In their order.
    static let boxed = [1: [6, 1, 2], 2: [3, 7]]
    static var boxes: [Int: [String: Any]] {
        [
            1: ["name": "One", "size": 1], 2: ["size": 2], 3: ["name": "Three"],
        ]
    }
    static var words: [Int: [String: Any]] {
        [
            1: ["word": "red", "weight": 1.0], 2: ["word": "blue"], 3: ["weight": 5.0],
        ]
    }

    /// Inserts all objects; they stay unsaved.
    static func insert(into context: NSManagedObjectContext) -> [String: NSManagedObject] {
        var objects: [String: NSManagedObject] = [:]
        func make(_ entity: String, _ kind: String, _ id: Int, _ values: [String: Any]) {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            object.setValue(id, forKey: "id")
            objects["\(kind) \(id)"] = object
        }
        for (id, values) in items.sorted(by: { $0.key < $1.key }) {
            make(specials.contains(id) ? "Special" : "Item", "Item", id, values)
        }
        for (id, values) in boxes.sorted(by: { $0.key < $1.key }) { make("Box", "Box", id, values) }
        for (id, values) in words.sorted(by: { $0.key < $1.key }) { make("Label", "Label", id, values) }
        for (child, parent) in parents {
            objects["Item \(child)"]?.setValue(objects["Item \(parent)"], forKey: "parent")
        }
        for (id, others) in friends {
            let set = objects["Item \(id)"]?.mutableSetValue(forKey: "friends")
            for other in others { set?.add(objects["Item \(other)"] as Any) }
        }
        for (id, others) in labels {
            let set = objects["Item \(id)"]?.mutableSetValue(forKey: "labels")
            for other in others { set?.add(objects["Label \(other)"] as Any) }
        }
        for (id, others) in boxed {
            let set = objects["Box \(id)"]?.mutableOrderedSetValue(forKey: "items")
            for other in others { set?.add(objects["Item \(other)"] as Any) }
        }
        return objects
    }
}
