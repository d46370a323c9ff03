// swift-tools-version: 6.2
import PackageDescription

// A web service over SwiftData: two model actors, history that is observed, SQLite or PostgreSQL.

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
    name: "Trips",
    dependencies: [.package(name: "OpenSwiftData", path: "../../SwiftData")],
    targets: [
        .executableTarget(
            name: "Trips",
            dependencies: [
                .product(name: "SwiftData", package: "OpenSwiftData"),
                // Needs libpq: for the address of a server in the environment.
                .product(name: "SwiftDataPostgreSQL", package: "OpenSwiftData"),
            ],
            swiftSettings: settings),
        .testTarget(name: "TripsTests", dependencies: ["Trips"], swiftSettings: settings),
    ]
)
