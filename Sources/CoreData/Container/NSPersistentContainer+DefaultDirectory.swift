// The default folder of stores.

public import Foundation

/// Lets the folder be asked for as a property too, as Apple's Swift overlay does.
public protocol DefaultDirectoryProviding {
    /// Returns the folder for store files.
    static func defaultDirectoryURL() -> URL
}

extension DefaultDirectoryProviding {
    /// The folder for store files.
    public static var defaultDirectoryURL: URL { defaultDirectoryURL() }
}

extension NSPersistentContainer: DefaultDirectoryProviding {
    /// The XDG base directory for application data, with a folder named after the process.
    static var dataFolder: URL { dataFolder(in: ProcessInfo.processInfo.environment) }

    /// The same for the variables of an environment. `HOME` counts before the home folder of the user's account.
    package static func dataFolder(in environment: [String: String]) -> URL {
        // The specification has relative paths ignored.
        func folder(_ name: String) -> URL? {
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        }
        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        let base = folder("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share")
        return base.appendingPathComponent(ProcessInfo.processInfo.processName)
    }
}
