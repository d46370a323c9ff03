// The folder for stores, asked for as a property.

import CoreData
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
        #expect(usual == NSPersistentContainer.defaultDirectoryURL())
        #expect(folder(of: Elsewhere.self) == elsewhere && folder(of: NSPersistentContainer.self) == usual)
    }
}
