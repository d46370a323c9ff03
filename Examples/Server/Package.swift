// swift-tools-version: 6.2
import PackageDescription

// Programs without a user interface: who serves the main queue, and what the view context runs on.

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
let library: [Target.Dependency] = [.product(name: "CoreData", package: "OpenCoreData")]

let package = Package(
    name: "Server",
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(name: "Server", dependencies: library, swiftSettings: settings),
        .executableTarget(name: "AsyncServer", dependencies: library, swiftSettings: settings),
        // The same service on SQLite and on PostgreSQL: needs libpq.
        .executableTarget(
            name: "VisitServer",
            dependencies: library + [.product(name: "CoreDataPostgreSQL", package: "OpenCoreData")],
            swiftSettings: settings),
        .testTarget(
            name: "ServerTests", dependencies: ["Server", "AsyncServer", "VisitServer"],
            swiftSettings: settings),
    ]
)
