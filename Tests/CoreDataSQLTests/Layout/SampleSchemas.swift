// Models written by hand for the tests of layouts.

import CoreDataSchema

func attribute(_ name: String, _ type: AttributeType) -> PropertySchema {
    PropertySchema(name: name, kind: .attribute(AttributeTraits(type)))
}

func toOne(_ name: String, _ destination: String, inverse: String?) -> PropertySchema {
    PropertySchema(
        name: name,
        kind: .relationship(
            RelationshipTraits(destinationEntityName: destination, inverseName: inverse, maxCount: 1)))
}

func toMany(
    _ name: String, _ destination: String, inverse: String?, ordered: Bool = false
) -> PropertySchema {
    var traits = RelationshipTraits(destinationEntityName: destination, inverseName: inverse)
    traits.isOrdered = ordered
    return PropertySchema(name: name, kind: .relationship(traits))
}

func entity(_ name: String, parent: String? = nil, _ properties: PropertySchema...) -> EntitySchema {
    var entity = EntitySchema(name: name, properties: properties)
    entity.superentityName = parent
    return entity
}

func model(_ entities: EntitySchema...) -> ModelIndex {
    ModelIndex(ModelSchema(entities: entities))
}

/// The columns of CoreDataPlus' second sample: inheritance, a destination with subentities, all groups.
let library: ModelIndex = {
    var book = entity(
        "Book", attribute("cover", .transformable), attribute("uniqueID", .uuid), attribute("title", .string),
        attribute("price", .decimal), attribute("publishedAt", .date), attribute("pagesCount", .integer64),
        toOne("author", "Author", inverse: "books"), toMany("pages", "Page", inverse: "book"))
    book.uniquenessConstraints = [["uniqueID"]]
    var author = entity(
        "Author", parent: "Writer", attribute("alias", .string), attribute("siteURL", .uri),
        toMany("books", "Book", inverse: "author"))
    author.uniquenessConstraints = [["alias"]]
    return model(
        author, entity("Writer", attribute("age", .integer16)), book,
        entity("GraphicNovel", parent: "Book", attribute("isBlackAndWhite", .boolean)),
        entity(
            "Page", attribute("isBookmarked", .boolean), attribute("number", .integer32),
            attribute("content", .transformable), toOne("book", "Book", inverse: "pages")),
        entity(
            "Feedback", attribute("bookID", .uuid), attribute("comment", .string),
            attribute("rating", .double), attribute("authorAlias", .string)))
}()

/// Join tables: plain, ordered on one side, ordered on both, two that share a column name, within one entity,
/// its own inverse.
let network = model(
    entity(
        "Album", attribute("name", .string), toMany("tags", "Tag", inverse: "albums"),
        toMany("songs", "Song", inverse: "albums", ordered: true)),
    entity(
        "Song", toMany("albums", "Album", inverse: "songs"), toMany("tags", "Tag", inverse: "songs"),
        toMany("lists", "List", inverse: "songs", ordered: true)),
    entity("List", toMany("songs", "Song", inverse: "lists", ordered: true)),
    entity("Tag", toMany("albums", "Album", inverse: "tags"), toMany("songs", "Song", inverse: "tags")),
    entity(
        "Person", toMany("follows", "Person", inverse: "followedBy"),
        toMany("followedBy", "Person", inverse: "follows"), toMany("friends", "Person", inverse: "friends")))
