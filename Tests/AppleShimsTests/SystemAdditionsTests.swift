import AppleShims
import CoreDataTestSupport
import Foundation
import Testing

struct SystemAdditionsTests {
    @Test func activitiesRun() async {
        let activity = ProcessInfo.processInfo.beginActivity(options: .userInitiated, reason: "saving")
        ProcessInfo.processInfo.endActivity(activity)
        var ran = false
        ProcessInfo.processInfo.performActivity(options: [.background], reason: "saving") { ran = true }
        #expect(ran)
        let isOver = await withCheckedContinuation { continuation in
            ProcessInfo.processInfo.performExpiringActivity(withReason: "saving") {
                continuation.resume(returning: $0)
            }
        }
        #expect(!isOver)
        let options: [ProcessInfo.ActivityOptions] = [
            .idleSystemSleepDisabled, .suddenTerminationDisabled, .automaticTerminationDisabled,
            .userInitiatedAllowingIdleSystemSleep,
        ]
        let all = ProcessInfo.ActivityOptions(options)
        #expect(ProcessInfo.ActivityOptions.userInitiated.isSuperset(of: all))
    }

    @Test func aGroupHasAFolder() throws {
        let manager = FileManager.default
        let name = "group.test.\(UUID().uuidString)"
        let folder = try #require(manager.containerURL(forSecurityApplicationGroupIdentifier: name))
        defer { try? manager.removeItem(at: folder) }
        #expect(folder.lastPathComponent == name && manager.fileExists(atPath: folder.path))
        for wrong in ["", "..", "a/b"] {
            #expect(manager.containerURL(forSecurityApplicationGroupIdentifier: wrong) == nil)
        }
    }

    @Test func collectionsAreUnarchivedWithTheirClasses() throws {
        func archived(_ object: Any) throws -> Data {
            try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        }
        let names = try archived(NSArray(array: ["a" as NSString, "b" as NSString]))
        try expect(
            NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSString.self, from: names),
            equals: ["a", "b"])
        try expect(
            NSKeyedUnarchiver.unarchivedArrayOfObjects(
                ofClasses: [NSString.self, NSNumber.self], from: names)?.count, equals: 2)
        let ages = try archived(NSDictionary(dictionary: ["a" as NSString: 1 as NSNumber]))
        try expect(
            NSKeyedUnarchiver.unarchivedDictionary(
                ofKeyClass: NSString.self, objectClass: NSNumber.self, from: ages), equals: ["a": 1])
        try expect(
            NSKeyedUnarchiver.unarchivedDictionary(
                ofKeyClasses: [NSString.self], objectClasses: [NSNumber.self], from: ages)?["a"] as? Int,
            equals: 1)
    }
}
