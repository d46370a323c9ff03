// Control-C as something to wait for.

import Dispatch
import Foundation

/// Takes SIGINT and SIGTERM over from the system, which would end the process on the spot.
final class Interrupts {
    let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        signals = stream
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield() }
            source.activate()
            return source
        }
    }
}
