import CoreDataSchema
import Foundation
import Testing

@testable import CoreDataStudio

struct ObjectiveCHeaderTests {
    private var model: ModelSchema {
        func attribute(_ name: String, _ type: AttributeType, isScalar: Bool = false) -> PropertySchema {
            var traits = AttributeTraits(type)
            traits.usesScalarValueType = isScalar
            return PropertySchema(name: name, kind: .attribute(traits))
        }
        var colour = AttributeTraits(.transformable)
        colour.valueClassName = "Colour"
        var songs = RelationshipTraits(destinationEntityName: "Song", inverseName: "album")
        songs.isOrdered = true
        var album = EntitySchema(
            name: "Album",
            properties: [
                attribute("title", .string), attribute("year", .integer16, isScalar: true),
                attribute("rating", .integer16), attribute("price", .decimal),
                attribute("extra", .transformable),
                PropertySchema(name: "colour", kind: .attribute(colour)),
                PropertySchema(name: "songs", kind: .relationship(songs)),
            ])
        album.className = "Music.Album"
        let back = RelationshipTraits(destinationEntityName: "Album", inverseName: "songs", maxCount: 1)
        var song = EntitySchema(
            name: "Song", properties: [PropertySchema(name: "album", kind: .relationship(back))])
        song.className = "Song"
        var live = EntitySchema(name: "LiveAlbum", properties: [])
        (live.className, live.superentityName) = ("LiveAlbum", "Album")
        return ModelSchema(entities: [album, song, live])
    }

    private func header(_ index: Int) -> String { ObjectiveCHeader(model.entities[index], in: model).text }

    @Test func `Attributes have Objective-C's types`() {
        let text = header(0)
        for line in [
            "@class Colour, Song;", "@interface Album : NSManagedObject",
            "@property (nullable, nonatomic, copy) NSString *title;", "@property (nonatomic) int16_t year;",
            "@property (nullable, nonatomic, retain) NSNumber *rating;",
            "@property (nullable, nonatomic, retain) NSDecimalNumber *price;",
            "@property (nullable, nonatomic, retain) id extra;",
            "@property (nullable, nonatomic, retain) Colour *colour;",
        ] { #expect(text.contains(line + "\n"), "\(line)\n\(text)") }
    }

    @Test func `Relationships have their accessors`() {
        let text = header(0)
        for line in [
            "@property (nullable, nonatomic, retain) NSOrderedSet<Song *> *songs;",
            "@interface Album (CoreDataGeneratedAccessors)",
            "- (void)insertObject:(Song *)value inSongsAtIndex:(NSUInteger)index;",
            "- (void)addSongs:(NSOrderedSet<Song *> *)values;",
        ] { #expect(text.contains(line + "\n"), "\(line)\n\(text)") }
        #expect(header(1).contains("@property (nullable, nonatomic, retain) Album *album;\n"))
        #expect(!header(1).contains("CoreDataGeneratedAccessors"))
    }

    @Test func `A class below another imports its header`() {
        #expect(header(2).contains("#import \"Album.h\"\n"))
        #expect(header(2).contains("@interface LiveAlbum : Album\n"))
    }
}
