// What the routes below api/model/ answer.

type ModelKind =
    "model" | "entity" | "attribute" | "relationship" | "fetchedProperty" | "fetchRequest" | "configuration" | "composite"
    | "fetchIndex" | "fetchIndexElement"

interface InfoEntry { key: string, value: string }

/** An element of a model. `values` has its fields by key; those that are empty or no are left out. */
interface ModelElement {
    id: number
    kind: ModelKind
    values: Record<string, any>
    children: ModelElement[]
    userInfo?: InfoEntry[]
    constraints?: string[][]
    members?: string[]
}

interface ModelCheck {
    id: number
    severity: "error" | "warning" | "note"
    message: string
    field?: string
    place?: string
    position?: number
    length?: number
}

interface ModelVersion { name: string, isCurrent: boolean, isUnsaved: boolean }

/** A model, one version of it as elements. */
interface ModelAnswer {
    name: string
    path?: string
    obstacle?: string
    isVersioned: boolean
    change: number
    opening: string
    isUnsaved: boolean
    undo?: string
    redo?: string
    filesChangedOnDisk: string[]
    isReformatted: boolean
    versions: ModelVersion[]
    version: string
    root: ModelElement
    checks: ModelCheck[]
    left?: { date: string, isUndecided: boolean }
    keepingProblem?: string
    unreadable: string[]
    made: number[]
}

/** A line of an inspector. */
interface FieldDescription {
    key: string
    label: string
    kind: string
    section: string
    choices: { value: string, label: string }[]
    types: string[]
    help: string
    isShared: boolean
}

/** An edit: `do` names it, the other fields are its own. */
type ModelCommand = { do: string, [field: string]: unknown }

interface Session {
    title: string
    hasStore: boolean
    isReadOnly: boolean
    /** The path of a model that was named and isn't there yet. */
    newModel?: string | null
    user?: string | null
    role?: "read" | "edit" | "model" | null
    proof: string
}

// The diagram.

interface GraphRow { kind: string, name: string, type: string, isOptional: boolean, isToMany: boolean, id?: number }
interface GraphBox {
    name: string
    parent?: string
    isAbstract: boolean
    rows: GraphRow[]
    x: number
    y: number
    width: number
    height: number
    id?: number
}
interface GraphLine {
    from: string
    to: string
    name: string
    isToMany: boolean
    inverse?: string
    isInverseToMany: boolean
    id?: number
}
interface ModelGraph {
    boxes: GraphBox[]
    lines: GraphLine[]
    isAutomatic: boolean
    detail: "all" | "relationships" | "names"
    /** The model's number of changes when it was asked for. */
    change: number
}
/** Which part of a diagram is seen: the scale, and where the diagram's origin is on the page. */
interface DiagramView { scale: number, x: number, y: number }

// Mapping models.

interface MappedProperty {
    name: string
    isRelationship: boolean
    type: string
    isOptional: boolean
    value?: string
    userInfo: InfoEntry[]
}
interface EntityMapping {
    name: string
    kind: string
    source?: string
    destination?: string
    filter?: string
    expression?: string
    policy?: string
    userInfo: InfoEntry[]
    properties: MappedProperty[]
}
interface MappingSide { version?: string, entities: { name: string, keys: string[] }[] }
interface MappingCheck { severity: "error" | "warning", message: string, mapping?: number, field?: string, property?: string }
interface MappingAnswer {
    file: string
    obstacle?: string
    isNew: boolean
    isUnsaved: boolean
    isChangedOnDisk: boolean
    change: number
    undo?: string
    redo?: string
    source: MappingSide
    destination: MappingSide
    mappings: EntityMapping[]
    checks: MappingCheck[]
}
interface MappingList {
    items: { file: string, isUnsaved?: boolean, problem?: string, obstacle?: string }[]
    versions: string[]
    obstacle?: string
    folder?: string
}

// Versions.

interface VersionComparison {
    differences: { kind: "added" | "removed" | "changed", place: string, words: string }[]
    verdict: {
        isInferable: boolean
        reason?: string
        warnings: string[]
        isCounted: boolean
        steps: { words: string, count?: number, losesData: boolean }[]
    }
}
interface VersionHashes {
    checksum: string
    /** The store's file name; absent without a store. */
    store?: string
    /** The entities that only the store has. */
    missing: string[]
    entities: { name: string, hash: string, stored?: string, doubt?: string, properties: { name: string, hash: string }[] }[]
}
