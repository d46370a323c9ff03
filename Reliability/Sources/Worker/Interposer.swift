// The functions of the interposed library, looked up by name: without it the program runs as it is.

import Foundation

enum Interposer {
    private typealias Arm = @convention(c) (UnsafePointer<CChar>?) -> Void
    private typealias Disarm = @convention(c) () -> Int
    private typealias Counts = @convention(c) (UnsafeMutablePointer<CChar>?, Int) -> Void

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }

    static var isThere: Bool { dlsym(nil, "reliability_arm") != nil }

    /// Starts to count file calls, and to kill or fail as a plan says.
    static func arm(_ plan: String) throws {
        guard let arm = function("reliability_arm", as: Arm.self) else {
            if plan.isEmpty { return }
            throw Request.Problem(text: "the interposer isn't loaded")
        }
        plan.withCString { arm($0) }
    }

    /// Stops, and returns how many calls were failed.
    @discardableResult
    static func disarm() -> Int { function("reliability_disarm", as: Disarm.self)?() ?? 0 }

    /// The calls since arming, by class.
    static var counts: [String: Int] {
        guard let counts = function("reliability_counts", as: Counts.self) else { return [:] }
        var text = [CChar](repeating: 0, count: 512)
        counts(&text, text.count)
        let line = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var result: [String: Int] = [:]
        for pair in line.split(separator: " ") {
            let sides = pair.split(separator: "=")
            if sides.count == 2 { result[String(sides[0])] = Int(sides[1]) }
        }
        return result
    }
}
