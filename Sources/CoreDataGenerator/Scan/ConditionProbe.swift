// Asks the compiler which clauses of `#if` are active: it knows its target and version best.

import Foundation

/// Finds the active clauses of blocks.
struct ConditionProbe {
    /// Modules of which `canImport` is true though the compiler can't see them before the build.
    let modules: Set<String>

    /// For each block the number of its active clause, if one is. `compile` gives the compiler's tree of a text.
    func activeClauses(
        of blocks: [ConditionalText.Block], compile: (String) throws(ScanProblem) -> DumpNode
    ) throws(ScanProblem) -> [Int?] {
        guard !blocks.isEmpty else { return [] }
        let tree = try compile(blocks.enumerated().map(text).joined())
        let names = Set(tree.nodes("items").compactMap(\.name))
        return blocks.enumerated().map { number, block in
            block.clauses.indices.first { names.contains(name(number, clause: $0)) }
        }
    }

    private func name(_ block: Int, clause: Int) -> String { "Block\(block)Clause\(clause)" }

    private func text(_ number: Int, block: ConditionalText.Block) -> String {
        let clauses = block.clauses.enumerated().map { clause, content in
            let word = clause == 0 ? "#if" : content.condition == nil ? "#else" : "#elseif"
            return "\(word) \(knowing(content.condition ?? ""))\nenum \(name(number, clause: clause)) {}\n"
        }
        return clauses.joined() + "#endif\n"
    }

    private func knowing(_ condition: String) -> String {
        modules.reduce(condition) { $0.replacing("canImport(\($1))", with: "true") }
    }
}
