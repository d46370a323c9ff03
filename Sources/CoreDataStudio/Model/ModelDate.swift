// Dates in models: files count seconds since 2001, people write days and times.

import Foundation
import StoreTools

enum ModelDate {
    private static let midnight = "T00:00:00Z"

    /// A file's seconds as people write the date; what isn't a number, or no such date, as it is.
    static func text(_ seconds: String) -> String {
        guard let number = Double(seconds) else { return seconds }
        let text = Timestamp.text(of: Date(timeIntervalSinceReferenceDate: number))
        // No date is shown that would be written back as another one.
        guard text.hasSuffix("Z"), Timestamp.date(from: text)?.timeIntervalSinceReferenceDate == number else {
            return seconds
        }
        return text.hasSuffix(midnight) ? String(text.dropLast(midnight.count)) : text
    }

    /// The date of a text that a person wrote; nil if it is none. `now` would be another one each time.
    static func date(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        return text == "now" ? nil : Timestamp.date(from: text)
    }

    /// The text that a file keeps of a text; the text itself where it is no date, so that the checks can say so.
    static func seconds(_ text: String) -> String {
        guard let seconds = date(text)?.timeIntervalSinceReferenceDate else { return text }
        return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}
