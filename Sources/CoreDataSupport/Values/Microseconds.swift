// Moments as databases keep them that count microseconds.

/// Dates in microseconds since 2000, as PostgreSQL counts them.
package enum Microseconds {
    /// Microseconds from 2000 to 2001.
    private static let epoch: Int64 = 31_622_400_000_000

    /// Returns the seconds since 2001.
    package static func seconds(_ time: Int64) -> Double {
        if time == .max { return .infinity }
        if time == .min { return -.infinity }
        let (moment, overflows) = time.subtractingReportingOverflow(epoch)
        return Double(overflows ? time : moment) / 1_000_000
    }

    /// Returns the moment as PostgreSQL's `to_timestamp` rounds it; `nil` for one that it has no place for.
    ///
    /// - Parameter seconds: seconds since 2001.
    package static func time(_ seconds: Double) -> Int64? {
        if seconds == .infinity { return .max }
        if seconds == -.infinity { return .min }
        let time = (((seconds + 978_307_200) - 946_684_800) * 1_000_000).rounded(.toNearestOrEven)
        // From 4714 BC to 294276 AD.
        guard time >= -211_813_488_000_000_000, time < 9_223_371_331_200_000_000 else { return nil }
        return Int64(time)
    }

    /// Returns the seconds that a date has for good once it was stored in microseconds, however often it is moved.
    package static func stable(_ seconds: Double) -> Double {
        var last = seconds
        for _ in 0..<8 {
            guard let time = time(last) else { return last }
            let next = self.seconds(time)
            if next == last { return next }
            last = next
        }
        return last
    }
}
