// The members of processes and files that only Apple's systems have.

public import Foundation

extension ProcessInfo {
    /// Kinds of work that the system is not to interrupt. Nothing interrupts it here.
    public struct ActivityOptions: OptionSet, Sendable {
        public let rawValue: UInt64

        public init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// The system doesn't go to sleep.
        public static let idleSystemSleepDisabled = ActivityOptions(rawValue: 1 << 20)
        /// The process isn't ended when the user logs out.
        public static let suddenTerminationDisabled = ActivityOptions(rawValue: 1 << 14)
        /// The process isn't ended for having nothing to do.
        public static let automaticTerminationDisabled = ActivityOptions(rawValue: 1 << 15)
        /// Work that the user waits for, while the system may go to sleep.
        public static let userInitiatedAllowingIdleSystemSleep = ActivityOptions(rawValue: 0x00EF_FFFF)
        /// Work that the user waits for.
        public static let userInitiated = ActivityOptions(rawValue: 0x00FF_FFFF)
        /// Work that nobody waits for.
        public static let background = ActivityOptions(rawValue: 0xFF)
    }

    /// Returns an object for `endActivity(_:)`. Does nothing else.
    ///
    /// - Parameters:
    ///   - options: not used.
    ///   - reason: not used.
    public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol {
        NSObject()
    }

    /// Does nothing.
    public func endActivity(_ activity: any NSObjectProtocol) {}

    /// Runs the block.
    ///
    /// - Parameters:
    ///   - options: not used.
    ///   - reason: not used.
    ///   - block: the work.
    public func performActivity(
        options: ActivityOptions = [], reason: String, using block: @escaping () -> Void
    ) {
        block()
    }

    /// Runs the block on another thread, told that its time isn't over: nobody ends it here.
    ///
    /// - Parameters:
    ///   - reason: not used.
    ///   - block: the work; it gets false.
    public func performExpiringActivity(
        withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
    ) {
        DispatchQueue.global().async { block(false) }
    }
}

extension FileManager {
    /// Returns the folder that the programs of a group share.
    ///
    /// That is `Group Containers` with the identifier, in the user's folder for application support. It is
    /// made if it isn't there; nil if that fails, or if the identifier is no name of a folder.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard !groupIdentifier.isEmpty, !groupIdentifier.hasPrefix("."), !groupIdentifier.contains("/"),
            let support = urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        else { return nil }
        let folder = support.appendingPathComponent("Group Containers").appendingPathComponent(
            groupIdentifier)
        do {
            try createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            return nil
        }
        return folder
    }
}
