// Classes by their names alone. Apple's framework asks the Objective-C runtime; Swift's looks up types by module and
// name only, but lists all types of the loaded images.
//
// An image's section of types is a row of 32-bit offsets, each from its own place to a descriptor (lowest bit 0) or to
// an address of one (lowest bit 1). A descriptor begins with four 32-bit words: flags, whose lowest five bits are the
// kind (16: a class) and whose bit 7 says that the type is generic; the offset to the descriptor of the context; to the
// name, which ends with a zero; to the function that gives the metadata. The context of a private or local type is
// anonymous (kind 2). The structure that lists an image's sections has four words, then for each section its address
// and its size; types are the third section. See docs/ABI/TypeMetadata.rst of the Swift project.

import CSwiftRuntime
import Foundation

/// The classes of the loaded images.
enum LoadedClasses {
    private static let classKind: UInt32 = 16
    private static let anonymousKind: UInt32 = 2
    private static let genericFlag: UInt32 = 0x80

    /// The classes of a name, which is without module and outer types, that are subclasses of another. If classes that other
    /// files see have the name, private ones are left out.
    static func named<Base: AnyObject>(_ name: String, below base: Base.Type) -> [Base.Type] {
        visible(loaded(below: base) { strcmp($0, name) == 0 })
    }

    /// The classes whose names end alike, by the rest of their names.
    static func named<Base: AnyObject>(
        endingIn suffix: String, below base: Base.Type
    ) -> [String: [Base.Type]] {
        let length = suffix.utf8.count
        let all = loaded(below: base) { name in
            let count = strlen(name)
            return count > length && strcmp(name + (count - length), suffix) == 0
        }
        return Dictionary(grouping: all) { String($0.name.dropLast(suffix.count)) }.mapValues(visible)
    }

    private typealias Loaded<Base> = (name: String, objectClass: Base.Type, isHidden: Bool)

    private static func visible<Base>(_ all: [Loaded<Base>]) -> [Base.Type] {
        let visible = all.filter { !$0.isHidden }
        return (visible.isEmpty ? all : visible).map(\.objectClass)
    }

    private static func loaded<Base: AnyObject>(
        below base: Base.Type, where isWanted: (UnsafePointer<CChar>) -> Bool
    ) -> [Loaded<Base>] {
        var all: [Loaded<Base>] = []
        for section in sections {
            for offset in stride(from: 0, to: section.count - 3, by: 4) {
                guard let base = section.baseAddress, let descriptor = descriptor(at: base + offset),
                    let name = className(descriptor), isWanted(name),
                    let found = metadata(descriptor) as? Base.Type
                else { continue }
                all.append((String(cString: name), found, isHidden(descriptor)))
            }
        }
        return all
    }

    /// The number of images that have types: more are there once another library is loaded.
    static var imageCount: Int {
        var count = 0
        withUnsafeMutablePointer(to: &count) { count in
            swift_enumerateAllMetadataSections(
                { _, count in
                    count?.assumingMemoryBound(to: Int.self).pointee += 1
                    return true
                }, count)
        }
        return count
    }

    /// The class of a name, which may begin with its module and the types round it. Nil if there is none below the base, or
    /// several.
    static func denoted<Base: AnyObject>(by name: String, below base: Base.Type) -> Base.Type? {
        if let known = NSClassFromString(name) as? Base.Type { return known }
        let loaded = named(lastComponent(name), below: base).filter {
            self.name(name, denotes: $0)
        }
        if loaded.isEmpty { return NamedClass.find(lastComponent(name)) as? Base.Type }
        return loaded.count == 1 ? loaded[0] : nil
    }

    /// The sections of types of all images.
    private static var sections: [UnsafeRawBufferPointer] {
        var found: [UnsafeRawBufferPointer] = []
        withUnsafeMutablePointer(to: &found) { found in
            swift_enumerateAllMetadataSections(
                { image, found in
                    let types = image.load(fromByteOffset: 8 * 8, as: UnsafeRawPointer?.self)
                    let size = image.load(fromByteOffset: 9 * 8, as: Int.self)
                    found?.assumingMemoryBound(to: [UnsafeRawBufferPointer].self).pointee
                        .append(UnsafeRawBufferPointer(start: types, count: types == nil ? 0 : size))
                    return true
                }, found)
        }
        return found
    }

    private static func descriptor(at place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = place.load(as: Int32.self)
        let target = place + Int(offset & ~3)
        switch offset & 3 {
        case 0: return target
        case 1: return target.load(as: UnsafeRawPointer?.self)
        default: return nil
        }
    }

    /// The name of a class that isn't generic.
    private static func className(_ descriptor: UnsafeRawPointer) -> UnsafePointer<CChar>? {
        let flags = descriptor.load(as: UInt32.self)
        guard flags & 0x1F == classKind, flags & genericFlag == 0 else { return nil }
        return follow(descriptor + 8)?.assumingMemoryBound(to: CChar.self)
    }

    private static func metadata(_ descriptor: UnsafeRawPointer) -> AnyClass? {
        guard let function = follow(descriptor + 12), let metadata = metadataFromAccessFunction(function)
        else {
            return nil
        }
        return unsafeBitCast(metadata, to: AnyClass.self)
    }

    /// Returns true if the class is private to a file or stands in a function, by itself or by a type around it.
    private static func isHidden(_ descriptor: UnsafeRawPointer) -> Bool {
        var next = parent(descriptor)
        while let context = next {
            if context.load(as: UInt32.self) & 0x1F == anonymousKind { return true }
            next = parent(context)
        }
        return false
    }

    private static func parent(_ descriptor: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = (descriptor + 4).load(as: Int32.self)
        if offset == 0 { return nil }
        let target = descriptor + 4 + Int(offset & ~1)
        return offset & 1 == 0 ? target : target.load(as: UnsafeRawPointer?.self)
    }

    /// The address that an offset leads to; nil for 0.
    private static func follow(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = place.load(as: Int32.self)
        return offset == 0 ? nil : place + Int(offset)
    }

    /// Returns whether the name, with or without module, is this class's, or its name in Objective-C.
    static func name(_ name: String?, denotes objectClass: AnyClass) -> Bool {
        guard let name, !name.isEmpty else { return false }
        if name == String(reflecting: objectClass) { return true }
        guard !name.contains(".") || name.hasPrefix(".") else { return false }
        let last = lastComponent(name)
        return last == String(describing: objectClass) || NamedClass.find(last) == objectClass
    }

    /// `Person` of `App.Person`.
    static func lastComponent(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }
}
