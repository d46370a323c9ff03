// The folder for stores, asked for as a property.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DefaultDirectoryTests {
    private enum Shelf: DefaultDirectoryProviding {
        static func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/shelf") }
    }

    private final class Elsewhere: NSPersistentContainer, @unchecked Sendable {  // as its superclass
        override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/elsewhere") }
    }

    private func folder(of type: any DefaultDirectoryProviding.Type) -> URL { type.defaultDirectoryURL }

    @Test func thePropertyIsWhatTheMethodSays() {
        let shelf: URL = Shelf.defaultDirectoryURL
        let elsewhere: URL = Elsewhere.defaultDirectoryURL
        let usual: URL = NSPersistentContainer.defaultDirectoryURL
        #expect(shelf.path == "/shelf" && elsewhere.path == "/elsewhere")
        expect(usual, equals: NSPersistentContainer.defaultDirectoryURL())
        #expect(folder(of: Elsewhere.self) == elsewhere && folder(of: NSPersistentContainer.self) == usual)
    }

    @Test func theFolderFollowsTheEnvironment() {
        func path(_ environment: [String: String]) -> String {
            NSPersistentContainer.dataFolder(in: environment).deletingLastPathComponent().path
        }
        expect(path(["HOME": "/home/ann", "XDG_DATA_HOME": "/data"]), equals: "/data")
        expect(path(["HOME": "/home/ann"]), equals: "/home/ann/.local/share")
        expect(path(["HOME": "/home/ann", "XDG_DATA_HOME": "data"]), equals: "/home/ann/.local/share")
        expect(path(["HOME": "/home/ann", "XDG_DATA_HOME": ""]), equals: "/home/ann/.local/share")
        #expect(path([:]).hasPrefix("/") && path([:]).hasSuffix("/.local/share"))
        expect(
            NSPersistentContainer.dataFolder(in: [:]).lastPathComponent,
            equals: ProcessInfo.processInfo.processName)
    }
}
