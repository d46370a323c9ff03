// The session of one browser with the studio, from its first page on.

import Synchronization

/// A browser's session: its cookie leads here, also after the page was loaded again.
package final class StudioSession: Sendable {
    package let user: String?
    /// A secret that requests must bring along to change something; other sites can't know it.
    package let proof: String
    let cookie: String
    private let parts = PartStore()
    private let used = Mutex(ContinuousClock.now)

    init(user: String?) {
        self.user = user
        proof = Secret.make()
        cookie = Secret.make()
    }

    /// The session's one value of a type, made at first use.
    ///
    /// - Parameter isValid: whether the value can be used still; else it is made anew.
    package func part<Part: Sendable>(
        _ type: Part.Type, where isValid: (Part) -> Bool = { _ in true }, make: () throws -> Part
    ) rethrows -> Part {
        try parts.part(type, where: isValid, make: make)
    }

    var lastUse: ContinuousClock.Instant { used.withLock { $0 } }

    func touch() { used.withLock { $0 = .now } }
}
