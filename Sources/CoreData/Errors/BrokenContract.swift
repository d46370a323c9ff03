// The one way in which the package SwiftData stops the process for a broken contract.

import CoreDataSupport

/// Stops the process because the caller broke a contract where Apple's frameworks raise.
///
/// - Parameters:
///   - reason: the broken rule in words.
///   - instead: a call that throws in place of this.
@_spi(SwiftData)
public func brokenContract(_ reason: String, instead: String? = nil) -> Never {
    raise(.invalidArgument, instead.map { "\(reason); \($0) throws this as an error" } ?? reason)
}
