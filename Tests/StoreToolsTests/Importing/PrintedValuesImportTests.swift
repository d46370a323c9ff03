// Values at the edges of their types are imported as they were printed.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct PrintedValuesImportTests {
    private let rows: [[String: Any]] = [
        ["mark": 0, "bytes": Data(), "double": Double.infinity, "float": -Float.infinity, "text": ""],
        [
            "mark": 1, "bytes": Data([0, 255]), "double": -Double.infinity, "float": Float.infinity,
            "text": "inf",
        ],
        ["mark": 2],
    ]

    private func makeStore(_ url: URL) throws {
        let types: [(String, NSAttributeType)] = [
            ("mark", .integer64AttributeType), ("bytes", .binaryDataAttributeType),
            ("double", .doubleAttributeType),
            ("float", .floatAttributeType), ("text", .stringAttributeType),
        ]
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [item]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let made = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        try coordinator.remove(made)
    }

    private func values(_ store: OpenStore) throws -> [[String: NSObject]] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "mark", ascending: true)]
        return try store.context.fetch(request).map { object in
            object.entity.attributesByName.keys.reduce(into: [:]) { values, key in
                switch object.value(forKey: key) {
                case let data as Data: values[key] = data as NSData
                case let text as String: values[key] = text as NSString
                case let number as NSNumber: values[key] = number
                default: break
                }
            }
        }
    }

    @Test(arguments: [RowFormat.json, .csv]) func theyComeBack(_ format: RowFormat) throws {
        let folder = try TemporaryFolder()
        let (first, second, file) = (folder.file("A.sqlite"), folder.file("B.sqlite"), folder.file("printed"))
        for url in [first, second] { try makeStore(url) }
        let source = try OpenStore(path: first.path, access: .writing)
        for row in rows {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: source.context)
            object.setValuesForKeys(row)
        }
        try source.save()
        let entity = try source.model.requiredEntity("Item")
        var query = try StoreQuery(entity, select: ["mark", "bytes", "double", "float", "text"])
        for place in query.columns.indices { query.columns[place].keepsBytes = true }
        let output = try Output(newFile: file)
        var printer = try format.printer(columns: query.columns.map(\.name), to: output)
        try source.print(query, to: &printer)
        try printer.finish()
        try output.finish()

        let target = try OpenStore(path: second.path, access: .writing)
        let work = try StoreImport(into: target, entity: target.model.requiredEntity("Item")) {
            format == .csv ? try CSVReader(file) as any ImportReader : try JSONReader(file)
        }
        let count = try work.check()
        expect(work.takeFailures().map { "\($0)" }, equals: [])
        try expect(work.insert(total: count), equals: rows.count)
        let expected = try values(source)
        expect(expected.map(\.count), equals: [5, 5, 1])
        try expect(values(target), equals: expected)
        try source.close()
        try target.close()
    }
}
