// The sections of an optimised compiled model (.omo): numbers, texts, data and what refers to them.

import CoreDataSupport
import Foundation

/// Reads big-endian words at any offset, never beyond the end.
struct OptimizedModelBytes {
    private let bytes: [UInt8]

    init(_ data: Data) {
        bytes = Array(data)
    }

    var count: Int { bytes.count }

    func word(_ offset: Int) throws -> Int {
        try self[offset, 4].reduce(0) { $0 << 8 | Int($1) }
    }

    func words(_ offset: Int, count: Int) throws -> [Int] {
        guard count >= 0, count <= bytes.count / 4 else { throw OptimizedModelBytes.cut }
        return try (0..<count).map { try word(offset + 4 * $0) }
    }

    subscript(offset: Int, count: Int) -> ArraySlice<UInt8> {
        get throws {
            guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
                throw Self.cut
            }
            return bytes[offset..<offset + count]
        }
    }

    static let cut = ArchiveFailure("the optimised model is cut off")
}

/// The offsets and counts at the head, and the three lists that the other sections refer to by number.
///
/// ```
/// 0x00 signature, 64 bytes
/// 0x40 23 words: model; entities, count; properties, count; counts of five kinds of properties; dictionaries, count;
///      data, count; UTF-16 texts, count; UTF-8 texts, count; fetch request templates, count; three of unknown meaning
/// 0x9c four marks EF BE AD DE
///      UTF-16 texts   count; for each: length in bytes, 0, little-endian units; to a multiple of 4
///      UTF-8 texts    count; to a multiple of 8; for each: 12 bytes, length, 8 bytes, text, 0; to a multiple of 8
///      data           to a multiple of 4; count; to a multiple of 8; for each: 16 bytes, length, 4 bytes, data; to a multiple of 8
///      dictionaries, properties, entities, templates, model: see `OptimizedModelReader`
/// ```
/// Two marks stand behind each section but the last.
struct OptimizedModelSections {
    let bytes: OptimizedModelBytes
    let (model, entities, entityCount): (Int, Int, Int)
    let (properties, propertyCounts): (Int, [Int])
    let dictionaryCount: Int
    let (wideTexts, texts): ([String], [String])
    let data: [Data]

    private static let signature =
        "momv2$srsraori55717101jhus-[6910aathnnhi86786714[-;uadmiraenv143"
    private static let mark: [UInt8] = [0xEF, 0xBE, 0xAD, 0xDE]
    private static let head = 0x9C
    private static let dictionaryOverhead = 8

    init(_ file: Data) throws {
        bytes = OptimizedModelBytes(file)
        guard file.count >= 64, try bytes[0, 64].elementsEqual(Self.signature.utf8) else {
            throw ArchiveFailure("the file is no optimised model, or of an unknown version")
        }
        let head = try bytes.words(0x40, count: 23)
        (model, entities, entityCount) = (head[0], head[1], head[2])
        (properties, propertyCounts) = (head[3], Array(head[5...9]))
        dictionaryCount = head[11]
        guard head[4] == propertyCounts.reduce(0, +) else {
            throw ArchiveFailure("the properties' numbers don't add up")
        }
        guard head[19] == 0, head[20...22].allSatisfy({ $0 == 0 }) else {
            throw ArchiveFailure("fetch request templates of optimised models aren't known")
        }
        var place = try Self.end(Self.head + 8, bytes: bytes)
        (wideTexts, place) = try Self.wideTexts(bytes, at: place, stated: head[14], count: head[15])
        (texts, place) = try Self.texts(bytes, at: place, stated: head[16], count: head[17])
        (data, place) = try Self.data(bytes, at: place, stated: head[12], count: head[13])
        guard place == head[10], head[10] < properties, properties < entities, entities < head[18],
            head[18] + 12 == model, try bytes.word(head[18]) == 0
        else { throw ArchiveFailure("the sections don't follow each other") }
        for start in [properties, entities, model] { _ = try Self.end(start - 8, bytes: bytes) }
    }

    /// Returns the offset after two marks.
    private static func end(_ offset: Int, bytes: OptimizedModelBytes) throws -> Int {
        guard try bytes[offset, 8].elementsEqual(mark + mark) else {
            throw ArchiveFailure("a section has no end mark")
        }
        return offset + 8
    }

    private static func rounded(_ offset: Int, unit: Int) -> Int { (offset + unit - 1) / unit * unit }

    private static func wideTexts(
        _ bytes: OptimizedModelBytes, at start: Int, stated: Int, count: Int
    ) throws -> ([String], Int) {
        try check(start == stated && bytes.word(start) == count)
        var (place, texts): (Int, [String]) = (start + 4, [])
        for _ in 0..<count {
            place = rounded(place, unit: 4)
            let length = try bytes.word(place)
            try check(length % 2 == 0 && bytes.word(place + 4) == 0)
            let units = try Array(bytes[place + 8, length])
            let text = stride(from: 0, to: length, by: 2).map {
                UInt16(units[$0]) | UInt16(units[$0 + 1]) << 8
            }
            guard let text = String(validating: text, as: UTF16.self) else { throw notText }
            texts.append(text)
            place += 8 + length
        }
        return (texts, try end(rounded(place, unit: 4), bytes: bytes))
    }

    private static func texts(
        _ bytes: OptimizedModelBytes, at start: Int, stated: Int, count: Int
    ) throws -> ([String], Int) {
        try check(start == stated && bytes.word(start) == count)
        var (place, texts): (Int, [String]) = (start + 4, [])
        for _ in 0..<count {
            place = rounded(place, unit: 8)
            let length = try bytes.word(place + 12)
            try check(bytes[place, 12].allSatisfy { $0 == 0 } && bytes[place + 16, 8].allSatisfy { $0 == 0 })
            guard let text = try String(validating: bytes[place + 24, length], as: UTF8.self) else {
                throw notText
            }
            try check(bytes[place + 24 + length, 1].first == 0)
            texts.append(text)
            place += 25 + length
        }
        return (texts, try end(place, bytes: bytes))
    }

    private static func data(
        _ bytes: OptimizedModelBytes, at start: Int, stated: Int, count: Int
    ) throws -> ([Data], Int) {
        var place = rounded(start, unit: 4)
        try check(start == stated && bytes.word(place) == count)
        var list: [Data] = []
        place += 4
        for _ in 0..<count {
            place = rounded(place, unit: 8)
            let length = try bytes.word(place + 16)
            try check(bytes[place, 16].allSatisfy { $0 == 0 } && bytes.word(place + 20) == 0)
            list.append(Data(try bytes[place + 24, length]))
            place += 24 + length
        }
        return (list, try end(place, bytes: bytes))
    }

    private static func check(_ holds: Bool) throws {
        if !holds { throw ArchiveFailure("a list has another form than is known") }
    }

    private static let notText = ArchiveFailure("a text isn't in Unicode")
}
