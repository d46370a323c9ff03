// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Heroes",
    dependencies: [.package(path: "../OpenCoreData")],
    targets: [
        .executableTarget(
            name: "Heroes",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.process("Heroes.xcdatamodeld")],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
