// Entities whose tables, indexes or sequences would have the same names.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLNamesTests {
    private let store: NoteStore
    private var shelf: Shelf { store.shelf }

    init() throws { store = try NoteStore() }

    private func entity(_ name: String) -> NSEntityDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = ("name", .stringAttributeType, true)
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = [attribute]
        entity.uniquenessConstraints = [["name"]]
        return entity
    }

    /// `Post` with a pair of to-many relationships to `Tag`, and entities whose names come near those of its tables.
    private func model(without left: Set<String> = []) -> NSManagedObjectModel {
        let (post, tag) = (entity("Post"), entity("Tag"))
        let (tags, posts) = (NSRelationshipDescription(), NSRelationshipDescription())
        (tags.name, tags.destinationEntity, tags.isOptional) = ("tags", tag, true)
        (posts.name, posts.destinationEntity, posts.isOptional) = ("posts", post, true)
        (tags.inverseRelationship, posts.inverseRelationship) = (posts, tags)
        post.properties.append(tags)
        tag.properties.append(posts)
        let model = NSManagedObjectModel()
        let others = ["Post_Tags", "PostTags", "PostKeySeq", "PostNameKey"].filter { !left.contains($0) }
        model.entities = [post, tag] + others.map(entity)
        return model
    }

    private func context(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        try shelf.context(shelf.description(), model)
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            for entity in context.persistentStoreCoordinator?.managedObjectModel.entities ?? [] {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity.name ?? "", into: context)
                object.setValue("a \(entity.name ?? "")", forKey: "name")
            }
            try context.save()
            let (post, tag) = (try context.fetch(request("Post"))[0], try context.fetch(request("Tag"))[0])
            post.setValue(Set([tag]), forKey: "tags")
            try context.save()
        }
    }

    private func request(_ entity: String) -> NSFetchRequest<NSManagedObject> {
        NSFetchRequest(entityName: entity)
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            context.reset()
            let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
            return try entities.flatMap { try context.fetch(request($0.name ?? "")) }
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    @Test func clashingNamesGetNumbers() throws {
        let context = try context(model())
        try fill(context)
        try expect(
            names(context),
            equals: ["a Post", "a PostKeySeq", "a PostNameKey", "a PostTags", "a Post_Tags", "a Tag"])
        try context.performAndWait {
            let post = try context.fetch(request("Post"))[0]
            expect((post.value(forKey: "tags") as? Set<NSManagedObject>)?.count, equals: 1)
        }
        let coordinator = try #require(context.persistentStoreCoordinator)
        try expect(coordinator.verify(coordinator.persistentStores[0]), equals: [])
    }

    @Test(arguments: ["Post", "PostTags", "Post_Tags", "PostNameKey"])
    func constraintsAreToldByTheirEntity(name: String) throws {
        let context = try context(model())
        try fill(context)
        let error = try #require(throws: NSError.self) {
            try context.performAndWait {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                object.setValue("a \(name)", forKey: "name")
                try context.save()
            }
        }
        expect(error.code, equals: NSManagedObjectConstraintMergeError)
    }

    @Test(arguments: [
        ["PostTags"], ["Post_Tags"], ["PostKeySeq", "PostNameKey"], ["Post_Tags", "PostTags"],
    ])
    func entitiesComeAndGo(left: [String]) throws {
        let less = model(without: Set(left))
        let first = try context(less)
        try fill(first)
        let before = try names(first)
        try store.close(first)
        let second = try context(model())
        try expect(names(second), equals: before)
        try second.performAndWait {
            for name in left {
                NSEntityDescription.insertNewObject(forEntityName: name, into: second).setValue(
                    "n", forKey: "name")
            }
            try second.save()
            let post = try second.fetch(request("Post"))[0]
            expect((post.value(forKey: "tags") as? Set<NSManagedObject>)?.count, equals: 1)
        }
        try expect(names(second).count, equals: before.count + left.count)
        try store.close(second)
        let third = try context(less)
        try expect(names(third), equals: before)
    }
}
