// Reads what was damaged on purpose, as far as a client would: an answer, an error or a warning, but no trap.

import CoreData
import CoreDataStudio
import Foundation
import StoreTools

/// Sound files of every kind, to damage copies of.
enum Originals {
    static func make(_ request: Request) async throws -> [String: Any] {
        let folder = request.folder
        for (type, name) in [
            (NSSQLiteStoreType, "store.sqlite"), (NSXMLStoreType, "store.xml"),
            (NSBinaryStoreType, "store.binary"),
        ] {
            var place = Place(request, file: name)
            place.type = type
            try SaveOperation.fill(place, generations: request.number("before"))
        }
        let (old, new) = (TestModel.make(), TestModel.make(version: 2))
        try old.write(to: folder.appendingPathComponent("model.mom"))
        try old.write(to: folder.appendingPathComponent("model.xcdatamodel"))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        try mapping.write(to: folder.appendingPathComponent("mapping.cdm"))
        try mapping.write(
            to: folder.appendingPathComponent("mapping.xcmappingmodel"), sourceModel: old,
            destinationModel: new)
        try archives(request, folder)
        return ["done": true]
    }

    private static func archives(_ request: Request, _ folder: URL) throws {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Note")
        fetch.predicate = NSPredicate(
            format:
                "gen > 2 AND (ANY tags.name BEGINSWITH[cd] %@ OR text IN %@) AND SUBQUERY(tags, $t, $t.gen == 3).@count > 0",
            "tag", ["a", "b"])
        fetch.sortDescriptors = [NSSortDescriptor(key: "gen", ascending: false)]
        let stack = try Stack(Place(request, file: "store.sqlite"))
        defer { stack.close() }
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        let objects: [(String, Any?)] = [
            ("predicate.archive", fetch.predicate), ("request.archive", fetch), ("token.archive", token),
        ]
        for (name, object) in objects {
            guard let object else { throw Request.Problem(text: "no \(name)") }
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: object, requiringSecureCoding: object is any NSSecureCoding)
            try data.write(to: folder.appendingPathComponent(name))
        }
    }
}

/// Reads damaged inputs.
final class Damage {
    /// A sound store to ask damaged questions of.
    private var asked: Stack?
    private var visit: StudioVisit?

    private func sound(_ request: Request) throws -> Stack {
        if let asked { return asked }
        let stack = try Stack(
            Place(request, file: request.text("sound")))
        asked = stack
        return stack
    }

    func read(_ request: Request) async throws -> [String: Any] {
        let url = request.folder.appendingPathComponent(request.text("file"))
        switch request.text("form") {
        case "store": return try store(request)
        case "model", "model.optimized": return try model(NSManagedObjectModel.read(from: url))
        case "mapping": return try mapping(NSMappingModel.read(from: url), request)
        case "predicate": return try ask(NSPredicate(parsing: request.text("text")), request)
        case "predicate.archive": return try ask(unarchived(url, as: NSPredicate.self), request)
        case "request.archive":
            let fetch = try unarchived(url, as: NSFetchRequest<any NSFetchRequestResult>.self)
            return try ask(fetch.predicate ?? NSPredicate(value: true), request)
        case "token.archive":
            return try history(unarchived(url, as: NSPersistentHistoryToken.self), request)
        case "import":
            return ["count": try ImportOperation.run(Place(request, file: request.text("sound")).url, url)]
        case "studio": return try await studio(request)
        default: throw Request.Problem(text: "no form \(request.text("form"))")
        }
    }

    /// All of a store, its own check, and a save.
    private func store(_ request: Request) throws -> [String: Any] {
        let stack = try Stack(Place(request))
        defer { stack.close() }
        var answer: [String: Any] = [:]
        if stack.place.type == NSSQLiteStoreType {
            answer["warnings"] = try stack.coordinator.verify(stack.store).map(\.check)
        }
        answer["state"] = try Judge.state(of: stack)
        do {
            try stack.context.performAndWait {
                let next = (try stack.all("Counter", sortedBy: []).first?.value(forKey: "value") as? Int) ?? 0
                try Generation.edit(stack, next < 1_000_000 && next > 0 ? next + 1 : 1)
                try stack.context.save()
            }
        } catch {
            answer["save"] = Line.fields(of: error)
        }
        return answer
    }

    /// Makes an object of each entity, in memory.
    private func model(_ model: NSManagedObjectModel) throws -> [String: Any] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for entity in model.entities where !entity.isAbstract {
                _ = NSManagedObject(entity: entity, insertInto: context)
            }
            try context.save()
        }
        return ["count": model.entities.count, "versions": model.entityVersionHashesByName.count]
    }

    private func mapping(_ mapping: NSMappingModel, _ request: Request) throws -> [String: Any] {
        let (source, destination) = (TestModel.make(), TestModel.make(version: 2))
        let new = request.folder.appendingPathComponent("mapped-\(request.text("file")).sqlite")
        defer {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: new.path + end)
            }
        }
        try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
            from: Place(request, file: request.text("sound")).url, type: .sqlite, options: nil,
            mapping: mapping,
            to: new, type: .sqlite, options: nil)
        return ["count": mapping.entityMappings?.count ?? 0]
    }

    /// Asks for notes, in SQL and one by one.
    private func ask(_ predicate: NSPredicate, _ request: Request) throws -> [String: Any] {
        let stack = try sound(request)
        return try stack.context.performAndWait {
            let all = try stack.all("Note", sortedBy: ["gen", "index"])
            var answer: [String: Any] = [:]
            do {
                let found = try stack.all("Note", sortedBy: ["gen", "index"], where: predicate)
                answer["stored"] = found.compactMap { all.firstIndex(of: $0) }
            } catch {
                answer["error"] = Line.fields(of: error)
            }
            if let matching = try? all.map({ try predicate.matches($0) }) {
                answer["memory"] = matching.indices.filter { matching[$0] }
            }
            return answer
        }
    }

    private func history(_ token: NSPersistentHistoryToken, _ request: Request) throws -> [String: Any] {
        let stack = try sound(request)
        return try stack.context.performAndWait {
            let history = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try stack.context.execute(history) as? NSPersistentHistoryResult
            return ["count": (result?.result as? [NSPersistentHistoryTransaction])?.count ?? -1]
        }
    }

    private func unarchived<Object: NSObject & NSCoding>(_ url: URL, as type: Object.Type) throws -> Object {
        let data = try Data(contentsOf: url)
        try NSKeyedUnarchiver.checkNesting(of: data)
        let decoder = try NSKeyedUnarchiver(forReadingFrom: data)
        decoder.requiresSecureCoding = type is any NSSecureCoding.Type
        decoder.decodingFailurePolicy = .setErrorAndReturn
        let root = NSKeyedArchiveRootObjectKey
        let decoded =
            decoder.requiresSecureCoding
            ? decoder.decodeObject(of: [type], forKey: root) : decoder.decodeObject(forKey: root)
        guard let object = decoded as? Object else {
            throw decoder.error ?? CocoaError(.coderReadCorrupt)
        }
        return object
    }

    private func studio(_ request: Request) async throws -> [String: Any] {
        if visit == nil { visit = try await StudioVisit(Studio(coordinator: sound(request).coordinator)) }
        guard let visit else { return [:] }
        let response = await visit.send(
            request.text("method"), request.text("target"), Data(request.text("text").utf8))
        return ["count": response.status]
    }
}
