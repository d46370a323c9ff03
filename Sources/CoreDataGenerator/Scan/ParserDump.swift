// Has the compiler parse sources and reads what it prints: one tree of JSON for each file.

import Foundation

/// Runs `swiftc -frontend -dump-parse -dump-ast-format json`. That needs no module that the sources import.
struct ParserDump {
    let swiftc: String
    let moduleName: String
    let conditions: [String]
    /// Modules that the sources can import.
    let modules: Set<String>

    /// The tree of each source. The parser's complaints aren't reported: the build
    /// that follows says the same.
    func trees(of sources: [SourceText]) throws(ScanProblem) -> [DumpNode] {
        guard !sources.isEmpty else { return [] }
        let folder = FileManager.default.temporaryDirectory.appending(path: "scan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw ScanProblem(path: folder.path, reason: "can't be made: \(error.localizedDescription)")
        }
        let inputs = try uncovered(sources, in: folder)
        let outputs = inputs.indices.map { folder.appending(path: "\($0).json") }
        let complaint = try dump(inputs, to: outputs, mode: "-dump-parse", in: folder)
        var trees: [DumpNode] = []
        for (source, output) in zip(sources, outputs) {
            guard let data = try? Data(contentsOf: output), let tree = DumpNode(json: data) else {
                throw ScanProblem(
                    path: source.path, reason: "the compiler's parser didn't read it\n\(complaint)")
            }
            trees.append(tree)
        }
        return trees
    }

    /// Copies of the sources without what isn't active and without bodies.
    private func uncovered(_ sources: [SourceText], in folder: URL) throws(ScanProblem) -> [URL] {
        let texts = sources.map(ConditionalText.init)
        let probe = ConditionProbe(modules: modules)
        let active = try probe.activeClauses(of: texts.flatMap(\.blocks)) { text throws(ScanProblem) in
            let (input, output) = (
                folder.appending(path: "probe.swift"), folder.appending(path: "probe.json")
            )
            try write(Array(text.utf8), to: input)
            let complaint = try dump([input], to: [output], mode: "-dump-ast", "-parse-stdlib", in: folder)
            guard let data = try? Data(contentsOf: output), let tree = DumpNode(json: data) else {
                throw ScanProblem(path: swiftc, reason: "didn't evaluate the conditions of #if\n\(complaint)")
            }
            return tree
        }
        var rest = active[...]
        var copies: [URL] = []
        for (number, text) in texts.enumerated() {
            let copy = folder.appending(path: "\(number).swift")
            let active = text.uncovered(Array(rest.prefix(text.blocks.count)))
            try write(BodyBlanker.blanked(SourceText(path: sources[number].path, bytes: active)), to: copy)
            rest = rest.dropFirst(text.blocks.count)
            copies.append(copy)
        }
        return copies
    }

    private func write(_ bytes: [UInt8], to url: URL) throws(ScanProblem) {
        do {
            try Data(bytes).write(to: url)
        } catch {
            throw ScanProblem(path: url.path, reason: "can't be written: \(error.localizedDescription)")
        }
    }

    /// Runs the compiler; what it said.
    private func dump(
        _ inputs: [URL], to outputs: [URL], mode: String..., in folder: URL
    ) throws(ScanProblem) -> String {
        let lists = [folder.appending(path: "inputs"), folder.appending(path: "outputs")]
        for (list, files) in zip(lists, [inputs, outputs]) {
            try write(Array(files.map(\.path).joined(separator: "\n").utf8), to: list)
        }
        let arguments =
            ["-frontend"] + mode + ["-dump-ast-format", "json", "-module-name", moduleName]
            + [
                "-filelist", lists[0].path, "-primary-filelist", lists[0].path, "-output-filelist",
                lists[1].path,
            ]
        return try run(arguments + conditions.flatMap { ["-D", $0] }, log: folder.appending(path: "log"))
    }

    private func run(_ arguments: [String], log: URL) throws(ScanProblem) -> String {
        let process = Process()
        // `env` looks a bare name up in PATH.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [swiftc] + arguments
        do {
            try Data().write(to: log)
            let handle = try FileHandle(forWritingTo: log)
            process.standardError = handle
            process.standardOutput = handle
            try process.run()
        } catch {
            throw ScanProblem(path: swiftc, reason: "can't be run: \(error.localizedDescription)")
        }
        process.waitUntilExit()
        let text = (try? Data(contentsOf: log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        if process.terminationStatus == 127 {
            throw ScanProblem(path: swiftc, reason: "isn't found: \(text)")
        }
        return text
    }
}
