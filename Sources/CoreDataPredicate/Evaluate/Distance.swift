// `distanceToLocation:fromLocation:` over pairs of latitude and longitude in degrees; there is no location
// class here that could be an argument.

import CoreDataSupport
import Foundation

enum Distance {
    /// The mean radius of the Earth in meters.
    private static let radius = 6_371_008.8

    /// Meters along the great circle.
    static func between(_ first: Value, and second: Value) throws -> Value {
        if first == .null || second == .null { return .null }
        let (a, b) = (try location(first), try location(second))
        let latitude = sin((b.latitude - a.latitude) / 2)
        let longitude = sin((b.longitude - a.longitude) / 2)
        let h = latitude * latitude + cos(a.latitude) * cos(b.latitude) * longitude * longitude
        return .double(2 * radius * asin(min(1, h.squareRoot())))
    }

    private static func location(_ value: Value) throws -> (latitude: Double, longitude: Double) {
        guard case .array(let pair) = value, pair.count == 2, let latitude = pair[0].number?.double,
            let longitude = pair[1].number?.double
        else {
            throw EvaluationFailure(reason: "A location is a latitude and a longitude, {52.5, 13.4}")
        }
        return (latitude * .pi / 180, longitude * .pi / 180)
    }
}
