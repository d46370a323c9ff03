import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

struct TimestampTests {
    @Test(
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (736_251_630.5, "2024-05-01T10:20:30.5Z"),
            (-978_307_200, "1970-01-01T00:00:00Z"), (-978_307_200.25, "1969-12-31T23:59:59.75Z"),
            (-63_113_904_000, "0001-01-01T00:00:00Z"), (-31_622_400, "2000-01-01T00:00:00Z"),
            (-26_438_400, "2000-03-01T00:00:00Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
        ])
    func `Dates become text and dates again`(seconds: Double, text: String) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        expect(Timestamp.text(of: date), equals: text)
        expect(Timestamp.date(from: text), equals: date)
    }

    @Test func `Dates beyond the calendar stay numbers`() {
        let date = Date(timeIntervalSinceReferenceDate: 1e15)
        expect(Timestamp.date(from: Timestamp.text(of: date)), equals: date)
        expect(Timestamp.text(of: Date(timeIntervalSinceReferenceDate: .infinity)), equals: "inf")
    }

    @Test(
        arguments: [
            ("2024-05-01", 736_214_400.0), ("2024-05-01T12:20:30+02:00", 736_251_630),
            ("2024-05-01 10:20", 736_251_600), ("12.5", 12.5), ("2024-05-01T12:20-0130", 736_264_200),
            ("2024-05-01T10:20:30.125", 736_251_630.125), ("2024-05-01T10:20Z", 736_251_600),
            ("2024-05-01 10:20:30 +0000", 736_251_630), ("2024-05-01T12:20+02", 736_251_600),
            ("2024-05-01t10:20:30,5z", 736_251_630.5), ("1e3", 1000),
        ])
    func `Shorter forms and zones are read`(text: String, seconds: Double) {
        expect(Timestamp.date(from: text)?.timeIntervalSinceReferenceDate, equals: seconds)
    }

    @Test(arguments: [
        "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-01", "2024-05-01T24:00", "soon", "", "inf",
        "2024-05", "2024-5-01", "2024-05-01T", "2024-05-01T10", "2024-05-01T10:20:3", "2024-05-01T10:20:30.",
        "2024-05-01T10:20Z ", "2024-05-01T10:20+2", "2024-05-01Z", "2024/05/01", "2024-05-01T10:60",
        "2024-05-01T10:20 ", "2024-05-01T10:20+99:00", "2024-05-01T10:20+00:60", "0x10", "nan",
    ])
    func `Other texts are no dates`(text: String) {
        #expect(Timestamp.date(from: text) == nil)
    }
}
