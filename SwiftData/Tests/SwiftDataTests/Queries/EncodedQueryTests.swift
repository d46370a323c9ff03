// Predicates over properties that a store keeps as one encoded value, or in elements.

import Foundation
import SwiftData
import Testing

@Model
final class Parcel {
    var name: String
    var tags: [String] = []
    var marks: [Int]?
    var place: Place
    var seal: Data?

    init(_ name: String, tags: [String] = [], marks: [Int]? = nil) {
        self.name = name
        self.tags = tags
        self.marks = marks
        place = Place(latitude: 1, longitude: 2)
    }
}

@Suite struct EncodedQueryTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(
            try ModelContainer(
                for: Parcel.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        context.insert(Parcel("a", tags: ["x", "y"], marks: [1]))
        context.insert(Parcel("b"))
        try context.save()
    }

    private func names(_ predicate: Predicate<Parcel>) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    private func expectRefusal(
        _ predicate: Predicate<Parcel>, naming names: String..., at place: SourceLocation = #_sourceLocation
    ) {
        for isSaved in [true, false] {
            if !isSaved { context.insert(Parcel("c")) }
            let error = #expect(throws: SwiftDataError.self, sourceLocation: place) {
                try context.fetch(FetchDescriptor(predicate: predicate))
            }
            #expect(error == .unsupportedPredicate, sourceLocation: place)
            for name in names {
                #expect("\(error, default: "")".contains(name), sourceLocation: place)
            }
        }
    }

    @Test func arraysAreNotCompared() {
        let tags = ["x", "y"]
        let marks: [Int]? = [1]
        expectRefusal(#Predicate { $0.tags == tags }, naming: "tags", "Array<String>")
        expectRefusal(#Predicate { tags != $0.tags }, naming: "tags", "Array<String>")
        expectRefusal(#Predicate { $0.marks == marks }, naming: "marks", "Array<Int>")
        expectRefusal(#Predicate { ($0.marks ?? []) == [1] }, naming: "marks", "Array<Int>")
    }

    @Test func elementsOfArraysAreNotKnown() {
        let names = ["x"]
        expectRefusal(#Predicate { $0.tags.contains("x") }, naming: "tags")
        expectRefusal(#Predicate { $0.tags.contains { $0 == "x" } })
        expectRefusal(#Predicate { $0.tags.isEmpty })
        expectRefusal(#Predicate { $0.tags.count == 2 })
        expectRefusal(#Predicate { $0.tags[0] == "x" })
        expectRefusal(#Predicate { names.contains($0.name) && $0.tags == names }, naming: "tags")
    }

    @Test func nilIsKnown() throws {
        #expect(try names(#Predicate { $0.marks == nil }) == ["b"])
        #expect(try names(#Predicate { $0.marks != nil }) == ["a"])
        let marks: [Int]? = nil
        #expect(try names(#Predicate { $0.marks == marks }) == ["b"])
        #expect(try names(#Predicate { nil != $0.marks && $0.name != "c" }) == ["a"])
        let seal = Data([1])
        #expect(try names(#Predicate { $0.seal == seal }) == [])
        #expect(try names(#Predicate { $0.seal == nil && $0.place.latitude == 1 }) == ["a", "b"])
    }

    @Test func structuresAreNotComparedAsAWhole() {
        let place = Place(latitude: 1, longitude: 2)
        let places = [place]
        expectRefusal(#Predicate { $0.place == place }, naming: "constant of type Place")
        expectRefusal(#Predicate { place != $0.place }, naming: "constant of type Place")
        expectRefusal(#Predicate { places.contains($0.place) }, naming: "Array<Place>")
    }
}
