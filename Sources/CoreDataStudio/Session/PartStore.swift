// The parts that the areas of the studio keep, without the kernel knowing their types.

import Synchronization

/// One value of each type, made at first use.
final class PartStore: Sendable {
    private let parts = Mutex<[ObjectIdentifier: any Sendable]>([:])

    func part<Part: Sendable>(
        _ type: Part.Type, where isValid: (Part) -> Bool = { _ in true }, make: () throws -> Part
    ) rethrows -> Part {
        try parts.withLock { parts in
            if let part = parts[ObjectIdentifier(type)] as? Part, isValid(part) { return part }
            let part = try make()
            parts[ObjectIdentifier(type)] = part
            return part
        }
    }
}
