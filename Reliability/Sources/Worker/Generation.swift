// One save: a number that stands in the counter, in new rows of three entities, in join rows, in an external file and in
// the history. The state of a store after generation G is a function of G; `expected` in harness/states.py computes it.

import CoreData
import Foundation

enum Generation {
    /// The number of generations that stay; the folder of an older one is deleted with its
    /// notes, and so is its tag.
    static let kept = 5

    /// Bytes of which every sixteenth tells generation and seed.
    static func blob(_ generation: Int, seed: Int, isLong: Bool) -> Data {
        let count = isLong ? 131_073 + generation * 7919 % 40_000 : 100
        let head = Data("\(seed)/\(generation)/\(count);".utf8)
        var block = Data()
        while block.count < 4096 { block.append(head) }
        var data = Data(capacity: count + block.count)
        while data.count < count { data.append(block) }
        return data.prefix(count)
    }

    static func tagName(_ generation: Int, seed: Int) -> String { "tag \(seed)/\(generation)" }

    /// Makes the changes of a generation, unsaved. Reads for them may fail.
    static func edit(_ stack: Stack, _ generation: Int) throws {
        let seed = stack.place.seed
        stack.context.transactionAuthor = "g\(generation)"
        let counter = try stack.all("Counter", sortedBy: []).first ?? stack.insert("Counter", [:])
        let earlier = try stack.all("Tag", sortedBy: [], where: predicate(generation - 1))
        counter.setValue(generation, forKey: "value")
        try update(stack, generation)
        let folder = stack.insert("Folder", ["gen": generation])
        let tag = stack.insert("Tag", ["gen": generation, "name": tagName(generation, seed: seed)])
        for index in 0..<3 {
            let note = stack.insert("Note", ["gen": generation, "index": index, "state": generation])
            note.setValue(
                "note \(seed)/\(generation)/\(index)", forKey: TestModel.textKey(version: stack.place.version)
            )
            note.setValue(folder, forKey: "folder")
            if index < 2 {
                note.setValue(blob(generation, seed: seed, isLong: index == 0), forKey: "blob")
                note.setValue(Set([tag] + (index == 0 ? earlier : [])), forKey: "tags")
            }
        }
        for entity in ["Folder", "Tag"] {
            for object in try stack.all(entity, sortedBy: [], where: predicate(generation - kept)) {
                stack.context.delete(object)
            }
        }
    }

    /// Changes notes of three generations ago: one's number, the other's external file.
    private static func update(_ stack: Stack, _ generation: Int) throws {
        for note in try stack.all("Note", sortedBy: ["index"], where: predicate(generation - 3)) {
            switch note.value(forKey: "index") as? Int {
            case 0 where generation % 2 == 0:
                note.setValue(blob(generation, seed: stack.place.seed, isLong: true), forKey: "blob")
            case 1: note.setValue(1000 + generation, forKey: "state")
            default: break
            }
        }
    }

    private static func predicate(_ generation: Int) -> NSPredicate {
        NSPredicate(format: "gen == %@", NSNumber(value: generation))
    }

    /// Tries to save a tag that is there already, and takes it back.
    static func breakConstraint(_ stack: Stack, _ generation: Int) throws {
        guard generation > 1 else { return }
        _ = stack.insert(
            "Tag", ["gen": -1, "name": tagName(generation - 1, seed: stack.place.seed)])
        defer { stack.context.rollback() }
        do {
            try stack.context.save()
        } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
            return
        }
        throw Request.Problem(text: "two tags have the same name")
    }
}
