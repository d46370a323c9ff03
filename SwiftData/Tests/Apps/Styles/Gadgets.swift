// Properties of every kind that encodes itself, with names that the library uses.

import Foundation
import SwiftData

typealias Cents = Int
typealias Parts = [Part]
struct Pt: Codable, Hashable { var x = 0.0, y = 0.0 }
enum Shape: Codable, Hashable { case circle(radius: Double), box(Pt, Pt), none }
struct Strict: Codable, Hashable {
    var value: Int
    enum CodingKeys: String, CodingKey { case value = "v" }
    init(_ value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: CodingKeys.self)
        value = try c.decode(Int.self, forKey: .value)
        if value < 0 {
            throw DecodingError.dataCorruptedError(forKey: .value, in: c, debugDescription: "negative")
        }
    }
}
struct Unkeyed: Codable, Hashable {
    var a: Int, b: Int
    init(_ a: Int, _ b: Int) { (self.a, self.b) = (a, b) }
    init(from decoder: any Decoder) throws {
        var c = try decoder.unkeyedContainer(); a = try c.decode(Int.self); b = try c.decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
        var c = encoder.unkeyedContainer(); try c.encode(a); try c.encode(b)
    }
}
enum Level: Int, Codable, Comparable, CaseIterable {
    case low = 1, mid = 5, high = 10
    static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
}
struct Wrapper<T: Codable & Hashable>: Codable, Hashable { var wrapped: T?; var list: [T] = [] }
indirect enum Expr: Codable, Hashable { case num(Int), add(Expr, Expr) }
struct Lots: Codable, Hashable {
    var d: Date?; var u: UUID = UUID(); var url: URL?; var data: Data = Data(); var dec: Decimal = 1;
    var l: Level = .low; var m: [Level] = []; var n: Inner = Inner(); var o: Inner?
    struct Inner: Codable, Hashable { var s = "s"; var t: Int? }
}

@Model
final class Gadget {
    // names that the library uses itself
    var model: String = ""
    var context: String = ""
    var object: Int = 0
    var number: Int = 0
    var value: Double = 0
    var values: [Int] = []
    var keeper: String = ""
    var base: Int = 1
    var references: Int = 2
    var type: String = "t"
    var entity: String = "e"
    var name: Swift.String
    var made: Foundation.Date = Foundation.Date(timeIntervalSinceReferenceDate: 0)
    var price: Cents = 5
    var maybe: Optional<Int> = nil
    var array: Array<String> = []
    var dictionary: Dictionary<String, [Int]> = [:]
    var shape: Shape = Shape.none
    var optionalShape: Shape?
    var shapes: [Shape] = []
    var strict: Strict = Strict(1)
    var unkeyed: Unkeyed = Unkeyed(1, 2)
    var level: Level = Level.low
    var levels: Set<Level> = []
    var wrapper: Wrapper<Int> = Wrapper<Int>()
    var optionalWrapper: Wrapper<Pt>?
    var expr: Expr = Expr.num(1)
    var lots: Lots = Lots()
    var optionalLots: Lots?
    var manyLots: [Lots] = []

    var index: IndexSet = IndexSet()
    @available(macOS 10, *)
    var available: Int = 1
    @Attribute(
        .externalStorage,
        originalName: "blob"
    )
    // a comment
    var blobs: [Data] = []
    /// documented
    @Relationship(
        deleteRule: .cascade,
        inverse: \Part.gadget
    ) var parts: Parts = []
    var spare: Array<Part>?
    var mainPart: Optional<Part> = nil
    var set: Set<Spare> = []

    init(name: String) { self.name = name }
    func name(of part: Part) -> String { part.name }
}
@Model final class Part {
    var name: String
    var gadget: Gadget?
    @Relationship(inverse: \Gadget.spare) var spareOf: Gadget?
    @Relationship(inverse: \Gadget.mainPart) var mainOf: Gadget?
    init(_ name: String) { self.name = name }
}
@Model final class Spare {
    var n: Int
    var owners: [Gadget]? = nil
    init(n: Int) { self.n = n }
}
