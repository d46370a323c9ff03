// The studio as the administration pages of the program's own objects: swift run SuperDB --studio

import CoreData
import CoreDataStudio

/// The actions that the pages offer for the heroes that somebody selects.
let heroActions = [
    StudioObjectAction("Reveal the identity", of: "Hero", question: "Can everybody know who they are?") {
        heroes in
        for case let hero as Hero in heroes { hero.secretIdentity = nil }
        return "There is no secret any more."
    }
]

/// Serves the container's objects on this machine, with the program's classes, until the program is ended.
func administer(_ container: NSPersistentContainer) async throws {
    var options = StudioOptions()
    options.title = "SuperDB"
    options.actions = heroActions
    let server = try StudioServer(Studio(container: container, options: options))
    async let serving: Void = server.run()
    print("\nOpen \(try await server.makeLink()) and end with Control-C")
    fflush(nil)  // somebody may read the link through a pipe
    try await serving
}
