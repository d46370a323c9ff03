// Inputs that libFuzzer makes, guided by which code they reach: read as a client would. An answer or an error is right; a
// trap, a hang or memory without end is not.

import CoreData
import Foundation

/// The form that the bytes are read as; `FUZZ_FORM` in the environment names it.
private enum Form: String {
    case predicate
    case model, mapping
    case modelSource = "model-source"
    case mappingSource = "mapping-source"
    case xml, binary, sqlite

    static let current = Form(rawValue: ProcessInfo.processInfo.environment["FUZZ_FORM"] ?? "")

    /// The name of the file that the bytes become; `nil` where they are read as they are.
    var file: String? {
        switch self {
        case .predicate: nil
        case .model: "model.mom"
        case .modelSource: "model.xcdatamodel/contents"
        case .mapping: "mapping.cdm"
        case .mappingSource: "mapping.xcmappingmodel/xcmapping.xml"
        case .xml: "store.xml"
        case .binary: "store.binary"
        case .sqlite: "store.sqlite"
        }
    }

    var storeType: String {
        switch self {
        case .xml: NSXMLStoreType
        case .binary: NSBinaryStoreType
        default: NSSQLiteStoreType
        }
    }
}

private let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["FUZZ_FOLDER"] ?? "/dev/shm")
    .appendingPathComponent("fuzz-\(getpid())")

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let form = Form.current else {
        fatalError("FUZZ_FORM names no form")  // of the harness itself
    }
    do {
        try read(bytes.map { Data(bytes: $0, count: count) } ?? Data(), form)
    } catch {
        // Refused, which is right for most inputs.
    }
    return 0
}

private func read(_ data: Data, _ form: Form) throws {
    guard let name = form.file else { return try ask(String(decoding: data, as: UTF8.self)) }
    try? FileManager.default.removeItem(at: folder)
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    let url = folder.appendingPathComponent(String(name.split(separator: "/")[0]))
    switch form {
    case .model, .modelSource: try use(NSManagedObjectModel.read(from: url))
    case .mapping, .mappingSource: _ = try NSMappingModel.read(from: url).entityMappings?.map(\.name)
    default: try open(url, form.storeType)
    }
}

private func ask(_ text: String) throws {
    let predicate = try NSPredicate(parsing: text)
    _ = try? predicate.matches(["name": "x", "count": 3, "tags": ["a", "b"]] as NSDictionary)
    _ = predicate.description
}

/// Makes an object of each entity, in memory.
private func use(_ model: NSManagedObjectModel) throws {
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
}

/// Reads all of a store with the model that it keeps, or with none of its entities.
private func open(_ url: URL, _ type: String) throws {
    let kept = type == NSSQLiteStoreType ? try NSPersistentStoreCoordinator.model(inStoreAt: url) : nil
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: kept ?? makeNoteModel())
    let store = try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
        for entity in coordinator.managedObjectModel.entities {
            guard let name = entity.name else { continue }
            for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)) {
                for key in entity.propertiesByName.keys { _ = object.value(forKey: key) }
            }
        }
    }
    try coordinator.remove(store)
}

private func makeNoteModel() -> NSManagedObjectModel {
    let (note, text) = (NSEntityDescription(), NSAttributeDescription())
    (text.name, text.attributeType) = ("text", .stringAttributeType)
    note.name = "Note"
    note.properties = [text]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
}
