// Steps of editing that can be undone, whatever is edited.

/// The state before a step, and the step's name.
struct DraftStep<Draft: Sendable>: Sendable {
    var label: String
    var draft: Draft
}

/// The state of a document with a draft that is replaced step by step.
protocol DraftSteps {
    associatedtype Draft: Sendable
    var draft: Draft { get set }
    var undo: [DraftStep<Draft>] { get set }
    var redo: [DraftStep<Draft>] { get set }
    /// Counts what happened to the document.
    var change: Int { get set }
}

/// The number of steps that can be undone.
private let undoLimit = 200

extension DraftSteps {
    /// One more step, after which nothing can be redone.
    mutating func replace(with draft: Draft, label: String) {
        undo.append(DraftStep(label: label, draft: self.draft))
        if undo.count > undoLimit { undo.removeFirst() }
        redo = []
        self.draft = draft
        change += 1
    }

    /// Takes the last step of one list back, so that the other list's last leads here again.
    mutating func step(
        from source: WritableKeyPath<Self, [DraftStep<Draft>]>,
        to target: WritableKeyPath<Self, [DraftStep<Draft>]>
    ) {
        guard let step = self[keyPath: source].popLast() else { return }
        self[keyPath: target].append(DraftStep(label: step.label, draft: draft))
        draft = step.draft
        change += 1
    }
}
