// `-com.apple.CoreData.ConcurrencyDebug 1` among the launch arguments: every use of a context or its objects from
// elsewhere than the context's queue stops the process.

import CoreDataSupport
import Foundation
import Synchronization

/// The switch that makes new contexts check where they are used.
package enum ConcurrencyDebug {
    private static let isForced = Atomic<Bool>(false)
    private static let isAsked = asks(
        ProcessInfo.processInfo.arguments, userDefault: UserDefaults.standard.integer(forKey: name))
    private static let name = "com.apple.CoreData.ConcurrencyDebug"

    static var isOn: Bool { isAsked || isForced.load(ordering: .relaxed) }

    /// Returns whether the launch arguments ask for the checks; the user default of the same
    /// name counts without them.
    package static func asks(_ arguments: [String], userDefault: Int) -> Bool {
        guard let place = arguments.firstIndex(of: "-" + name), place + 1 < arguments.count else {
            return userDefault > 0
        }
        return Int(arguments[place + 1]).map { $0 > 0 } ?? false
    }

    /// Turns the checks on for contexts made from now on.
    package static func turnOn() { isForced.store(true, ordering: .relaxed) }
}
