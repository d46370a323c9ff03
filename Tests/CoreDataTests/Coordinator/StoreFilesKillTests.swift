// A process that dies at any moment leaves, at a store's place, what was there or what was to come, whole.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The work of the dying process.
enum KilledWork: String, CaseIterable, Sendable {
    case replace, destroy, migrate, copy, replaceXML, migrateXML

    var type: String { rawValue.hasSuffix("XML") ? NSXMLStoreType : NSSQLiteStoreType }

    private static func place(_ folder: String, _ name: String) -> URL {
        URL(fileURLWithPath: folder).appendingPathComponent(name)
    }

    func store(_ folder: String) -> FilledStore { FilledStore(Self.place(folder, "Store"), type: type) }
    func source(_ folder: String) -> FilledStore { FilledStore(Self.place(folder, "Source"), type: type) }

    /// The contents that may be at the place afterwards: those before the work, and those after it.
    var outcomes: [[String: Int]] {
        switch self {
        case .replace, .replaceXML: [["old": 60], ["new": 90]]
        case .destroy: [["old": 60], [:]]
        case .migrate, .migrateXML, .copy: [[:], ["new": 90]]
        }
    }

    func prepare(_ folder: String) throws {
        try source(folder).make("new", 90)
        if outcomes[0] != [:] { try store(folder).make("old", 60) }
    }

    func run(_ folder: String) throws {
        let (from, to) = (source(folder), store(folder).url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        switch self {
        case .replace, .replaceXML:
            try coordinator.replacePersistentStore(at: to, withPersistentStoreFrom: from.url, ofType: type)
        case .destroy:
            try coordinator.destroyPersistentStore(at: to, ofType: type)
        case .migrate, .migrateXML:
            let open = try from.open()
            try open.migratePersistentStore(open.persistentStores[0], to: to, withType: type)
        case .copy:
            try NSPersistentStoreCoordinator.copyPersistentStore(at: from.url, to: to)
        }
    }

    /// Does the work and dies: after so many microseconds, or when it is done.
    func runAndDie(_ folder: String, after delay: Int) throws {
        Thread.detachNewThread {
            usleep(useconds_t(delay))
            kill(getpid(), SIGKILL)
        }
        try run(folder)
        kill(getpid(), SIGKILL)
    }
}

@Suite struct StoreFilesKillTests {
    @Test(arguments: KilledWork.allCases) func aKilledProcessLeavesOneStoreWhole(_ work: KilledWork)
        async throws
    {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("0"), withIntermediateDirectories: true)
        try work.prepare(folder.file("0").path)
        let start = ContinuousClock.now
        try work.run(folder.file("0").path)
        let duration = Int((ContinuousClock.now - start) / .microseconds(1)) + 1
        var generator = SeededGenerator(seed: 17)
        for number in 1...rounds(1, long: 200) {
            let trial = folder.file("\(number)")
            try FileManager.default.createDirectory(at: trial, withIntermediateDirectories: true)
            try work.prepare(trial.path)
            let delay = Int.random(in: 0...duration * 3 / 2, using: &generator)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [name = work.rawValue as String, path = trial.path as String, delay = delay as Int] in
                try #require(KilledWork(rawValue: name)).runAndDie(path, after: delay)
            }
            try check(work, trial)
            try FileManager.default.removeItem(at: trial)
        }
    }

    /// The store is opened for writing, which makes an empty one where there is none, and removes what is left over.
    private func check(_ work: KilledWork, _ folder: URL) throws {
        try FilledStore.age(folder)
        let store = work.store(folder.path)
        let opened = try store.open()
        let contents = try FilledStore.contents(opened)
        #expect(work.outcomes.contains(contents))
        for store in opened.persistentStores { try opened.remove(store) }
        try expect(store.contents(), equals: contents)
        try expect(work.source(folder.path).contents(), equals: ["new": 90])
        let abandoned = try NSPersistentStoreCoordinator.abandonedFiles(ofPersistentStoreAt: store.url)
        expect(abandoned, equals: [], "The store holds \(contents).")
        let external = contents.values.reduce(0) { $0 + ($1 + 4) / 5 } + 18
        let names = ["Source", "Store"] + (work.type == NSSQLiteStoreType ? ["\(external) external"] : [])
        let files = try FilledStore.files(in: folder)
        expect(files, equals: names, "The store holds \(contents).")
    }
}
