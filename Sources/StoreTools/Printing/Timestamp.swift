// Dates as ISO 8601 text and back, in UTC, the same on every machine.

public import CoreData

/// Dates as text.
public enum Timestamp {
    /// Seconds since 1970 of the years 0 to 9999.
    private static let years = -62_167_219_200.0..<253_402_300_800.0

    /// Returns a date as text: `2024-05-01T10:20:30Z`, with a fraction of up to six digits where there is
    /// one.
    ///
    /// A date beyond the year 9999 becomes seconds since 2001, as stores count.
    public static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let whole = seconds.rounded(.down)
        let micro = ((seconds - whole) * 1e6).rounded()
        let carried = micro >= 1e6 ? whole + 1 : whole
        guard seconds.isFinite, years.contains(carried) else {
            return "\(date.timeIntervalSinceReferenceDate)"
        }
        let total = Int(carried)
        let day = Int((Double(total) / 86400).rounded(.down))
        let (year, month, dayOfMonth) = civil(day)
        let second = total - day * 86400
        var text = "\(padded(year, width: 4))-\(padded(month, width: 2))-\(padded(dayOfMonth, width: 2))T"
        text +=
            "\(padded(second / 3600, width: 2)):\(padded(second / 60 % 60, width: 2)):\(padded(second % 60, width: 2))"
        let fraction = micro >= 1e6 ? 0 : Int(micro)
        if fraction > 0 {
            var digits = padded(fraction, width: 6)
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        return text + "Z"
    }

    /// Returns the date that a text states: ISO 8601 (the time and the zone may be missing: midnight, UTC),
    /// `now`, or seconds since 2001; nil for anything else.
    public static func date(from text: String) -> Date? {
        if text == "now" { return Date() }
        if let seconds = TypedText.number(text) {
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        guard let parts = TimestampParts(text), 1...12 ~= parts.month,
            let first = days(parts.year, month: parts.month),
            let next = days(
                parts.month == 12 ? parts.year + 1 : parts.year,
                month: parts.month == 12 ? 1 : parts.month + 1),
            1...(next - first) ~= parts.day, parts.hour < 24, parts.minute < 60, parts.second < 60
        else { return nil }
        let clock = parts.hour * 3600 + parts.minute * 60 + parts.second - parts.offset
        let total = (first + parts.day - 1) * 86400 + clock
        return Date(timeIntervalSinceReferenceDate: Double(total - 978_307_200) + parts.fraction)
    }

    private static func padded(_ number: Int, width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    // Days since 1970-01-01 in the Gregorian calendar, counted in eras of 400 years from March on.

    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, ofYear - (153 * month + 2) / 5 + 1)
    }

    /// The first day of a month.
    private static func days(_ year: Int, month: Int) -> Int? {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}
