// The `coredata` command: its subcommands, and how they end.

import ArgumentParser
import CoreData
import StoreTools

@main
struct Coredata: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata",
        abstract: "Looks into Core Data stores and models, and changes them.",
        discussion: """
            A store is an SQLite file in Core Data's layout, whichever framework wrote it, or lies in a PostgreSQL \
            database: postgresql://USER@HOST/DATABASE?schema=NAME. A password is better in PGPASSWORD or a \
            password file than in the address. A store's model is \
            taken from the copy that the store keeps, unless --model names one. Commands that only read \
            leave the file, its -wal and its -shm as they are, to the byte.

            EXAMPLE
              coredata info Bookmarks.sqlite
              coredata query Bookmarks.sqlite BookmarkEntity --where 'isFolder == NO' --sort title --limit 20

            EXIT STATUS
              0   done
              1   it failed, or doctor found something wrong
              64  the command line can't be understood
            """,
        subcommands: [
            InfoCommand.self, CreateCommand.self, ModelCommand.self, MigrateCommand.self,
            GenerateCommand.self, QueryCommand.self,
            GetCommand.self,
            SetCommand.self, InsertCommand.self, DeleteCommand.self, ImportCommand.self, ExportCommand.self,
            HistoryCommand.self, SQLCommand.self, CopyCommand.self, MoveCommand.self, DoctorCommand.self,
            VacuumCommand.self,
            PortCommand.self,
            StudioCommand.self,
        ])

    @MainActor static func main() async {
        ServerStores.register(.postgreSQL)
        var command: any ParsableCommand
        do {
            command = try parseAsRoot()
            ShownArguments.hidePasswords()
        } catch {
            exit(withError: error)
        }
        do {
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch let error where isOfParser(error) {
            exit(withError: error)
        } catch {
            FileHandle.standardError.write(Data("coredata: \(explained(error))\n".utf8))
            exit(withError: ExitCode(1))
        }
    }

    /// Help, a usage that can't be understood, or an exit status: the parser words these itself.
    private static func isOfParser(_ error: any Error) -> Bool {
        String(reflecting: type(of: error)).hasPrefix("ArgumentParser.")
    }

    /// A predicate's error says where; everything else is one line.
    private static func explained(_ error: any Error) -> String {
        guard let failure = error as? PredicateFailure else { return readable(error) }
        return failure.description
    }
}
