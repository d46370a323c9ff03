// swift-tools-version: 6.2
import PackageDescription

// A million people. The plugin compiles the model into the program's bundle and writes its classes, as
// coredata-model.json says.

let package = Package(
    name: "People",
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "People",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            exclude: ["coredata-model.json"], resources: [.process("People.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(
            name: "PeopleTests", dependencies: ["People"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
