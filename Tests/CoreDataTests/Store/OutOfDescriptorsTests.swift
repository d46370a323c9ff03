// A process that has no descriptors left.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// The codes of the errors that adding a store gives while there are few descriptors, or 0.
private func codes(_ type: String, creating: Bool) throws -> [Int] {
    let folder = try TemporaryFolder()
    let model = CompanyModel.make()
    var codes: [Int] = []
    for free in 0...4 {
        let url = folder.file("store\(creating ? free : 0)")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        if !creating, free == 0 {
            let store = try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: url)
            try coordinator.remove(store)
        }
        var taken: [Int32] = []
        while true {
            let descriptor = open("/dev/null", O_RDONLY)
            if descriptor < 0 { break }
            taken.append(descriptor)
        }
        for descriptor in taken.suffix(free) { close(descriptor) }
        do {
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            codes.append(0)
        } catch {
            let error = error as NSError
            codes.append(error.domain == NSCocoaErrorDomain ? error.code : -1)
        }
        for descriptor in taken.dropLast(free) { close(descriptor) }
    }
    return codes
}

private func limitDescriptors() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = 100
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

@Suite struct OutOfDescriptorsTests {
    @Test func aStoreThatCantBeOpenedIsNotTakenForMissing() async {
        await #expect(processExitsWith: .success) {
            limitDescriptors()
            for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
                for creating in [false, true] {
                    let found = try codes(type, creating: creating)
                    precondition(!found.contains(NSFileReadNoSuchFileError), "\(type) \(found)")
                    precondition(found.contains { $0 != 0 }, "\(type) \(found)")
                }
            }
        }
    }

    @Test func theErrorNamesTheSystemsError() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
            limitDescriptors()
            while open("/dev/null", O_RDONLY) >= 0 {}
            do {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("new"))
                preconditionFailure("opened")
            } catch {
                let sqlite = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
                let system = sqlite?.userInfo[NSUnderlyingErrorKey] as? NSError
                precondition((error as NSError).code == NSPersistentStoreOpenError, "\(error)")
                precondition(system?.domain == NSPOSIXErrorDomain && system?.code == Int(EMFILE), "\(error)")
            }
        }
    }
}
