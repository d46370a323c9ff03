// Versions of schemas.

extension Schema {
    /// A version by three numbers.
    public struct Version: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
        /// The first number.
        public let major: Int
        /// The second number.
        public let minor: Int
        /// The third number.
        public let patch: Int

        /// A version by its numbers.
        ///
        /// - Parameters:
        ///   - major: the first number.
        ///   - minor: the second number.
        ///   - patch: the third number.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// Returns true if the first version is older.
        ///
        /// - Parameters:
        ///   - left: the one version.
        ///   - right: the other.
        public static func < (left: Version, right: Version) -> Bool {
            (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
        }

        /// Returns true if the versions have the same numbers.
        ///
        /// - Parameters:
        ///   - left: the one version.
        ///   - right: the other.
        public static func == (left: Version, right: Version) -> Bool {
            (left.major, left.minor, left.patch) == (right.major, right.minor, right.patch)
        }

        public var description: String { "\(major).\(minor).\(patch)" }
    }
}

/// A version of an app's models.
///
/// ```swift
/// enum TripsV1: VersionedSchema {
///     static let versionIdentifier = Schema.Version(1, 0, 0)
///     static var models: [any PersistentModel.Type] { [Trip.self] }
/// }
/// ```
public protocol VersionedSchema {
    /// The models of this version.
    static var models: [any PersistentModel.Type] { get }
    /// The version.
    static var versionIdentifier: Schema.Version { get }
}
