// swift-tools-version: 6.2
import PackageDescription

// A program with a model of its own. The model is what Xcode's editor saves; it is copied beside the program as it
// is, and the container reads it there.

let package = Package(
    name: "Bookshelf",
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Bookshelf",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.copy("Bookshelf.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "BookshelfTests", dependencies: ["Bookshelf"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
