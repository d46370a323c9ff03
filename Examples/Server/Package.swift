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
        .testTarget(
            name: "ServerTests", dependencies: ["Server", "AsyncServer"], swiftSettings: settings),
    ]
)
