import AppleShims
import CoreData
import CoreDataTestSupport
import Testing

struct NSExceptionTests {
    @Test func anExceptionSaysWhatItIs() {
        let exception = NSException(
            name: .invalidArgumentException, reason: "no store", userInfo: ["url": "/tmp"])
        #expect(exception.name.rawValue == "NSInvalidArgumentException" && exception.reason == "no store")
        #expect(exception.userInfo?["url"] as? String == "/tmp" && exception.description == "no store")
        expect(NSException(name: .genericException, reason: nil).description, equals: "NSGenericException")
    }

    @Test func namesAreApples() {
        let names: [NSExceptionName] = [
            .rangeException, .internalInconsistencyException, .mallocException, .objectInaccessibleException,
            .objectNotAvailableException, .destinationInvalidException, .invalidArchiveOperationException,
            .invalidUnarchiveOperationException, .undefinedKeyException,
        ]
        expect(Set(names.map(\.rawValue)).count, equals: 9)
        expect(NSExceptionName.undefinedKeyException.rawValue, equals: "NSUnknownKeyException")
    }

    @Test func raisingEndsTheProcess() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                NSException(name: NSExceptionName("NoStore"), reason: "there is no store").raise()
            })
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("NoStore: there is no store"))
    }
}
