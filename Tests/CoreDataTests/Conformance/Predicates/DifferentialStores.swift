// The same objects three times: in a SQLite store, in an in-memory store, and unsaved in a context.

import CoreData
import Foundation
import Testing

/// An object of the data as a predicate's argument, whichever store it is of.
struct Ref: Sendable {
    var name: String
    var asID = false

    static func item(_ id: Int) -> Ref { Ref(name: "Item \(id)") }
    static func box(_ id: Int) -> Ref { Ref(name: "Box \(id)") }
    static func label(_ id: Int) -> Ref { Ref(name: "Label \(id)") }
    var id: Ref { Ref(name: name, asID: true) }
}

/// The answer of a store.
enum Answer: Equatable, CustomStringConvertible {
    case ids([Int])
    case failure(String)

    var description: String {
        switch self {
        case .ids(let ids): "\(ids)"
        case .failure(let text): "failure: \(text)"
        }
    }
}

/// One of the three.
final class DifferentialSide {
    private let fixture: StoreFixture
    let context: NSManagedObjectContext
    private let objects: [String: NSManagedObject]

    init(_ kind: StoreKind, saved: Bool) throws {
        fixture = try StoreFixture(kind, model: DifferentialModel.make())
        let inserted = DifferentialRows.insert(into: fixture.context)
        guard saved else {
            (context, objects) = (fixture.context, inserted)
            return
        }
        try fixture.context.save()
        let fresh = fixture.otherContext()
        (context, objects) = (fresh, inserted.mapValues { fresh.object(with: $0.objectID) })
    }

    /// An argument as this side has it.
    func resolved(_ argument: Any) -> Any {
        switch argument {
        case let ref as Ref:
            guard let object = objects[ref.name] else { return NSNull() }
            return ref.asID ? object.objectID : object
        case let list as [Any]: return list.map(resolved)
        default: return argument
        }
    }

    func answer(_ format: String, _ arguments: [Any], _ entity: String = "Item") -> Answer {
        do {
            let predicate = try NSPredicate(parsing: format, arguments: arguments.map(resolved))
            return answer(predicate, entity)
        } catch {
            return .failure("format: \(error)")
        }
    }

    func answer(_ predicate: NSPredicate, _ entity: String = "Item") -> Answer {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        do {
            return .ids(try context.fetch(request).map { $0.value(forKey: "id") as? Int ?? -1 }.sorted())
        } catch {
            let error = error as NSError
            return .failure("\(error.localizedDescription) \(error.userInfo)")
        }
    }
}

struct DifferentialStores {
    let sqlite: DifferentialSide
    let memory: DifferentialSide
    let unsaved: DifferentialSide

    init() throws {
        sqlite = try DifferentialSide(.sqlite, saved: true)
        memory = try DifferentialSide(.inMemory, saved: true)
        unsaved = try DifferentialSide(.inMemory, saved: false)
    }

    /// The three answers: SQL, memory, unsaved changes.
    func answers(_ format: String, _ arguments: [Any] = [], _ entity: String = "Item") -> [Answer] {
        [sqlite, memory, unsaved].map { $0.answer(format, arguments, entity) }
    }
}
