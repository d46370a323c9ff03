// How often tests repeat what they do with other data.

import Foundation

/// Returns how many rounds a test makes: a few in the gate, all of them with COREDATA_LONG_TESTS=1.
package func rounds(_ short: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment["COREDATA_LONG_TESTS"] == "1" ? long : short
}

/// Returns the cases of a test that repeats itself over many inputs: each `step`th in the gate, all of them with
/// COREDATA_LONG_TESTS=1.
package func sample<Case>(_ cases: [Case], each step: Int) -> [Case] {
    let step = rounds(step, long: 1)
    return cases.enumerated().filter { $0.offset % step == 0 }.map(\.element)
}
