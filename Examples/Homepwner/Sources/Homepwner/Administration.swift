// The studio as the administration pages of the program's own objects: swift run Homepwner --studio

import CoreData
import CoreDataStudio

/// Serves the container's objects on this machine, with the program's classes, until the program is ended.
func administer(_ container: NSPersistentContainer) async throws {
    var options = StudioOptions()
    options.title = "Homepwner"
    let server = try StudioServer(Studio(container: container, options: options))
    async let serving: Void = server.run()
    print("\nOpen \(try await server.makeLink()) and end with Control-C")
    fflush(nil)  // somebody may read the link through a pipe
    try await serving
}
