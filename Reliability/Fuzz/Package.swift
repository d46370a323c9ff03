// swift-tools-version: 6.2
import PackageDescription

// Inputs of libFuzzer's for the readers of the framework (Reliability/harness/fuzz.py). A package of its own: all of it is
// built with the fuzzer's instrumentation, and `main` is libFuzzer's.

let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzz", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
                .unsafeFlags(["-parse-as-library"]),
            ])
    ]
)
