import AppleShims
import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct FoundationAdditionsTests {
    private struct Failure: Error {}

    @Test func poolsRunTheirBlocks() throws {
        expect(autoreleasepool { 3 }, equals: 3)
        #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
        #expect(abs(CFAbsoluteTimeGetCurrent() - Date.timeIntervalSinceReferenceDate) < 60)
    }

    @Test func elementsAreMovedAndRemovedByTheirPlaces() {
        var letters = Array("abcdef")
        letters.move(fromOffsets: [1, 4], toOffset: 3)
        expect(String(letters), equals: "acbedf")
        letters.move(fromOffsets: [5], toOffset: 0)
        letters.move(fromOffsets: [0], toOffset: 6)
        expect(String(letters), equals: "acbedf")
        letters.remove(atOffsets: [0, 2, 3])
        expect(String(letters), equals: "cdf")
    }

    @Test func numbersOfGeometryAreBridged() {
        let value: CGFloat = 1.5
        #expect(value as NSNumber == 1.5 && MAXFLOAT == Float.greatestFiniteMagnitude)
        expect(NSNumber(value: 2.5) as? CGFloat, equals: 2.5)
        expect((3 as NSNumber) as! CGFloat, equals: 3)  // what is tested
    }

    @Test func defaultsAreReadByKey() throws {
        let defaults = try #require(UserDefaults(suiteName: UUID().uuidString))
        defaults.setValue(4, forKey: "size")
        expect(defaults.value(forKey: "size") as? Int, equals: 4)
        defaults.setValue(nil, forKey: "size")
        #expect(defaults.value(forKey: "size") == nil)
        expect(String(localized: "No such text", comment: "test"), equals: "No such text")
    }

    @Test func notificationsComeInOrder() async {
        let center = NotificationCenter()
        let name = Notification.Name("saved")
        let (one, other) = (NSObject(), NSObject())
        let posted = center.notifications(named: name, object: one)
        for number in 0..<5 {
            center.post(name: name, object: number == 2 ? other : one, userInfo: ["number": number])
        }
        center.post(name: Notification.Name("else"), object: one)
        var numbers: [Int] = []
        for await notification in posted {
            numbers.append(notification.userInfo?["number"] as? Int ?? -1)
            if numbers.count == 4 { break }
        }
        expect(numbers, equals: [0, 1, 3, 4])
    }

    @Test func resourcesComeAsURLs() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("Model.momd"))
        let bundle = try #require(Bundle(url: folder))
        let urls: [URL]? = bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil)
        // Nothing says which type is meant, as in code for Apple's systems.
        let names = (bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil) ?? []).map { url in
            url.deletingPathExtension().lastPathComponent
        }
        expect(names, equals: urls?.map { $0.deletingPathExtension().lastPathComponent })
        expect(urls?.map(\.lastPathComponent), equals: ["Model.momd"])
    }

    @Test(.timeLimit(.minutes(20))) func aProgressIsObserved() async {
        let progress = Progress(totalUnitCount: 4)
        let (values, continuation) = AsyncStream.makeStream(of: [Int64].self)
        let observation = progress.observe(\.completedUnitCount, options: [.new, .old]) { _, change in
            continuation.yield([change.oldValue ?? -1, change.newValue ?? -1])
        }
        progress.completedUnitCount = 0
        let change = Task {
            try await Task.sleep(for: .milliseconds(300))
            progress.completedUnitCount = 3
        }
        var iterator = values.makeAsyncIterator()
        await expect(iterator.next(), equals: [0, 3])
        observation.invalidate()
        _ = await change.result
    }
}
