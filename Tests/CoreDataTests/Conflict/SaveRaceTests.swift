import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Many writers of one row: nobody's change is lost and the file stays sound.
@Suite struct SaveRaceTests {
    private func start(_ store: RivalStore) throws -> TestStack {
        let stack = try TestStack(type: store.type)
        _ = stack.context.make("Person", ["name": "Ada", "visits": 0])
        try stack.context.save()
        return stack
    }

    private func visits(_ stack: TestStack) throws -> Int? {
        try stack.another().keepingAll("Person").first?.value(forKey: "visits") as? Int
    }

    @Test(arguments: RivalStore.allCases)
    func contextsOfOneCoordinator(_ store: RivalStore) throws {
        let stack = try start(store)
        try Increments.run(stack.coordinator, contexts: 4, each: 100)
        try expect(visits(stack), equals: 400)
    }

    @Test func importsOfTheSameValues() throws {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model: model)
        let contexts = (0..<4).map { _ in stack.another() }
        let failures = DispatchQueue(label: "failures")
        nonisolated(unsafe) var errors: [any Error] = []
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            let context = contexts[number]
            context.performAndWait {
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                do {
                    for name in 0..<50 {
                        let company = context.make("Company", ["name": "\(name)"])
                        _ = context.make("Person", ["name": "\(number)", "company": company])
                        try context.save()
                    }
                } catch {
                    failures.sync { errors.append(error) }
                }
            }
        }
        #expect(errors.isEmpty)
        let companies = try stack.another().keepingAll("Company")
        expect(companies.count, equals: 50)
        #expect(companies.allSatisfy { ($0.value(forKey: "people") as? NSSet)?.count == 4 })
    }

    @Test func processesThatShareAFile() async throws {
        let each = rounds(25, long: 625)
        let stack = try start(.sqlite)
        let path = stack.url.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, each = each as Int] in
                        try Increments.run(path: path, contexts: 4, each: each)
                    }
                }
            }
        }
        try expect(visits(stack), equals: 16 * each)
        let raw = try RawDatabase(stack.url)
        try expect(raw.rows("PRAGMA integrity_check"), equals: [["ok"]])
        try expect(raw.number("SELECT Z_OPT FROM ZPERSON"), equals: 16 * each + 1)
    }
}
