// Progress on a terminal.

import Foundation

/// A bar that grows in its line on a terminal; elsewhere a line for each tenth.
struct ProgressBar: Sendable {
    let total: Int
    var isTerminal = isatty(1) == 1
    private let start = ContinuousClock.now

    init(total: Int) {
        self.total = total
    }

    /// `[#####     ]  50 %, 500 of 1,000`.
    func text(_ done: Int, width: Int = 30) -> String {
        let share = total > 0 ? Double(done) / Double(total) : 1
        let filled = Int(share * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled)
        return
            "[\(bar)] \(String(format: "%3d", Int(share * 100))) %, \(Self.grouped(done)) of \(Self.grouped(total))"
    }

    /// Shows that a part of the work is done.
    func show(_ part: Range<Int>) {
        let seconds = Double((ContinuousClock.now - start) / .seconds(1))
        let line =
            text(part.upperBound)
            + ", \(Self.grouped(Int(Double(part.upperBound) / max(seconds, 0.001)))) a second"
        if isTerminal {
            print("\r\(line)", terminator: part.upperBound == total ? "\n" : "")
            fflush(nil)
        } else if part.upperBound * 10 / total > part.lowerBound * 10 / total {
            print(line)
        }
    }

    static func grouped(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US")))
    }
}
