// How often tests repeat what they do with other data.

import Foundation

/// Returns how many rounds a test makes: a few in the gate, all of them with COREDATA_LONG_TESTS=1.
package func rounds(_ short: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment["COREDATA_LONG_TESTS"] == "1" ? long : short
}
