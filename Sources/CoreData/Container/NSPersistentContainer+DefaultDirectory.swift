// Where stores lie unless told otherwise.

public import Foundation

/// Lets the folder be asked for as a property too, as Apple's Swift overlay does.
public protocol DefaultDirectoryProviding {
    /// The folder for store files.
    static func defaultDirectoryURL() -> URL
}

extension DefaultDirectoryProviding {
    /// The folder for store files.
    public static var defaultDirectoryURL: URL { defaultDirectoryURL() }
}

extension NSPersistentContainer: DefaultDirectoryProviding {
    /// The XDG base directory for application data, with a folder named after the process.
    static var dataFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let home = FileManager.default.homeDirectoryForCurrentUser
        var base = home.appendingPathComponent(".local/share")
        // The specification has relative paths ignored.
        if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") { base = URL(fileURLWithPath: path) }
        return base.appendingPathComponent(ProcessInfo.processInfo.processName)
    }
}
