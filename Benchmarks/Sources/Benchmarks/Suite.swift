// All workloads. Their data are made only when they are wanted.

import Foundation

/// Workloads that are made together.
struct Group: Sendable {
    /// The beginnings of the workloads' names.
    let names: [String]
    let make: @Sendable (URL) throws -> [Workload]
}

enum Suite {
    static let groups = [
        Group(names: ["W1"]) { [InsertIntegers.workload(in: $0)] },
        Group(names: ["W2"]) { [try FetchIntegers.workload(in: $0)] },
        Group(names: ["W3"]) { [InsertStaff.workload(in: $0)] },
        Group(names: ["W4"]) { [try QueryStaff.workload(in: $0)] },
        Group(names: ["W5a", "W5b"]) { try TraverseStaff.workloads(in: $0) },
        Group(names: ["W6", "W6s", "W7"]) { try ChangeStaff.workloads(in: $0) },
        Group(names: ["W8"]) { [try LookUps.workload(in: $0)] },
        Group(names: ["W9"]) { [try LargeResults.workload(in: $0)] },
        Group(names: ["K1", "K2"]) { try Keyed.workloads(in: $0) },
        Group(names: ["batch"]) { try Batches.workloads(in: $0) },
        Group(names: ["migration"]) { [try Migrations.workload(in: $0)] },
        Group(names: ["one"]) { try OneAmongMany.workloads(in: $0) },
        Group(names: ["cost"]) { try ObjectCosts.workloads(in: $0) },
        Group(names: ["readers"]) { [try Readers.workload(in: $0)] },
        Group(names: ["read", "write"]) { try Accessors.workloads(in: $0) },
    ]

    /// The workloads whose names begin with a text; all of them if there is none.
    static func workloads(_ wanted: String?, in folder: URL) throws -> [Workload] {
        guard let wanted else { return try groups.flatMap { try $0.make(folder) } }
        let groups = groups.filter { $0.names.contains { $0.hasPrefix(wanted) || wanted.hasPrefix($0) } }
        return try groups.flatMap { try $0.make(folder) }.filter { $0.name.hasPrefix(wanted) }
    }
}
