import AppleShims
import CoreDataTestSupport
import Foundation
import Testing

struct LoggerTests {
    @Test func messagesGoToStandardErrorByTheirWeight() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let logger = Logger(subsystem: "app", category: "store")
            let (name, secret, number) = ("Ada", "1815", 255)
            logger.debug("not \(name)")
            logger.info("nor \(name)")
            logger.notice("is \(name, privacy: .public), \(secret, privacy: .private)")
            logger.error(
                "\(number, format: .hex(explicitPrefix: true, uppercase: true)) \(1.5, format: .fixed(precision: 2))"
            )
            logger.fault("[\(name, align: .right(columns: 5))]")
            Logger(.disabled).fault("never")
            exit(0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(
            text,
            equals: """
                default [app:store] is Ada, <private>
                error [app:store] 0xFF 1.50
                fault [app:store] [  Ada]

                """)
    }

    @Test func formatsTakeTheirArguments() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            os_log("%d of %{public}d, %{private}d, 100 %%, %.2f", log: .default, type: .error, 1, 2, 3, 4.5)
            os_log(.fault, log: OSLog(subsystem: "a", category: "b"), "no argument")
            os_log("dropped %d", type: .debug, 1)
            exit(0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(text, equals: "error 1 of 2, <private>, 100 %, 4.50\nfault [a:b] no argument\n")
    }

    @Test func formatsTakeObjects() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let error = NSError(domain: "Kit", code: 7)
            os_log("%{public}@ at %d", type: .error, error, 3)
            os_log(.fault, "%@ and %@", error as NSError?, nil)
            NSLog("%@: %@", "failed", error)
            exit(0)
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        let text = NSError(domain: "Kit", code: 7).description
        expect(lines.prefix(2), equals: ["error \(text) at 3", "fault \(text) and (null)"])
        #expect(lines.count == 3 && lines[2].hasSuffix("failed: \(text)"))
    }

    @Test func kindsAreOrderedByWeight() {
        let kinds: [OSLogType] = [.fault, .debug, .error, .default, .info]
        expect(kinds.sorted(), equals: [.debug, .info, .default, .error, .fault])
        #expect(OSLog.default.isEnabled(type: .error) && !OSLog.disabled.isEnabled(type: .fault))
    }

    @Test func intervalsReturnWhatTheyMark() throws {
        let signposter = OSSignposter(subsystem: "app", category: "store")
        let state = signposter.beginInterval("fetch", id: signposter.makeSignpostID(), "\(3) rows")
        signposter.endInterval("fetch", state)
        expect(signposter.withIntervalSignpost("save") { 7 }, equals: 7)
        #expect(!OSSignposter.disabled.isEnabled)
        #expect(signposter.makeSignpostID() != signposter.makeSignpostID())
    }

    @Test func signpostsAreMessagesOfTheLog() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OS_ACTIVITY_MODE", "debug", 1)
            let log = OSLog(subsystem: "a", category: "b")
            os_signpost(.begin, log: log, name: "fetch", signpostID: OSSignpostID(log: log), "%d rows", 3)
            os_signpost(.end, log: log, name: "fetch")
            let type = OSSignpostType.event
            os_signpost(type, log: .disabled, name: "never")
            exit(0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(text, equals: "debug [a:b] fetch: begin, 3 rows\ndebug [a:b] fetch: end\n")
        expect([OSSignpostType.event, .begin, .end].map(\.rawValue), equals: [0, 1, 2])
    }
}
