// Builds keyed archives object by object, circles included.

package import Foundation

/// The object table of a keyed archive that is being written.
package final class KeyedArchiveWriter {
    private var objects: [PropertyList] = [.string("$null")]
    private var leaves: [PropertyList: PropertyList] = [:]
    private var classes: [[String]: PropertyList] = [:]

    package init() {}

    /// Reference to nothing.
    package static let null = PropertyList.uid(0)

    /// A place for an object that others refer to before it is complete.
    package func reserve() -> PropertyList {
        append(.null)
    }

    /// Fills a reserved place. `classes` is the class and its ancestors, the class first.
    package func define(_ place: PropertyList, classes names: [String], fields: [PropertyList.Entry]) {
        guard case .uid(let uid) = place else { return }
        objects[Int(uid)] = .dictionary(
            fields + [PropertyList.Entry("$class", value: reference(toClass: names))])
    }

    /// Adds an object and returns the reference to it.
    package func object(_ names: [String], fields: [PropertyList.Entry]) -> PropertyList {
        let place = reserve()
        define(place, classes: names, fields: fields)
        return place
    }

    /// Adds a string, number, date or data that objects refer to; equal ones are stored once.
    package func leaf(_ list: PropertyList) -> PropertyList {
        if let known = leaves[list] { return known }
        let place = append(list)
        leaves[list] = place
        return place
    }

    package func string(_ text: String?) -> PropertyList {
        text.map { leaf(.string($0)) } ?? Self.null
    }

    package func array(_ elements: [PropertyList], isMutable: Bool = false) -> PropertyList {
        object(
            isMutable ? ["NSMutableArray", "NSArray", "NSObject"] : ["NSArray", "NSObject"],
            fields: [.init("NS.objects", value: .array(elements))])
    }

    package func set(_ elements: [PropertyList]) -> PropertyList {
        object(["NSSet", "NSObject"], fields: [.init("NS.objects", value: .array(elements))])
    }

    package func dictionary(_ pairs: [(PropertyList, PropertyList)], isMutable: Bool = false) -> PropertyList
    {
        object(
            isMutable ? ["NSMutableDictionary", "NSDictionary", "NSObject"] : ["NSDictionary", "NSObject"],
            fields: [
                .init("NS.keys", value: .array(pairs.map(\.0))),
                .init("NS.objects", value: .array(pairs.map(\.1))),
            ])
    }

    /// The archive's bytes with one object at the top level.
    package func data(root: PropertyList) -> Data {
        BinaryPropertyListWriter.data(
            for: .dictionary([
                .init("$version", value: .integer(100_000)),
                .init("$objects", value: .array(objects)),
                .init("$archiver", value: .string("NSKeyedArchiver")),
                .init("$top", value: .dictionary([.init("root", value: root)])),
            ]))
    }

    private func append(_ list: PropertyList) -> PropertyList {
        objects.append(list)
        return .uid(UInt32(objects.count - 1))
    }

    private func reference(toClass names: [String]) -> PropertyList {
        if let known = classes[names] { return known }
        let place = append(
            .dictionary([
                .init("$classes", value: .array(names.map { .string($0) })),
                .init("$classname", value: .string(names.first ?? "NSObject")),
            ]))
        classes[names] = place
        return place
    }
}
