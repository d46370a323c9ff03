// What the routes below api/data/ answer.

type FieldKind =
    "text" | "longText" | "number" | "decimal" | "date" | "boolean" | "choice" | "uuid" | "uri" | "color" | "image"
    | "binary" | "composite" | "tree" | "other"
type RelationKind = "toOne" | "toMany" | "ordered"

/** An attribute, as entities describe it. */
interface Attribute {
    key: string
    label: string
    kind: FieldKind
    type?: string
    isInteger?: boolean
    isOptional?: boolean
    isSortable?: boolean
    /** Why it can't be set. */
    lock?: string | null
    section?: string | null
    help?: string | null
    choices?: { value: string, label: string }[]
    elements?: Attribute[]
    min?: StudioValue
    max?: StudioValue
    minLength?: number
    maxLength?: number
    pattern?: string
    destination?: undefined
    titleKey?: undefined
}

interface Relation {
    key: string
    label: string
    kind: RelationKind
    destination: string
    titleKey?: string | null
    creates: string[]
    isOptional?: boolean
    isSortable?: boolean
    lock?: string | null
    section?: string | null
    help?: string | null
    choices?: undefined
    elements?: undefined
    type?: undefined
    isInteger?: undefined
}

/** An attribute with the value that an object has. */
interface ObjectField extends Attribute {
    value: StudioValue
    isChanged: boolean
    message: string | null
    /** What the file will keep of the value, where that is another one. */
    note?: string | null
    /** Whether the message waits until the person had a chance to fill the field in. */
    isQuiet?: boolean
    /** Of colours: whether the value's transformer takes another one. */
    canSet?: boolean
    /** A text that was typed and can't be taken, and those of a composite attribute's elements. */
    refused?: { text: string, message: string } | null
    refusedElements?: Record<string, { text: string, message: string } | null>
}

interface ObjectRelation extends Relation {
    value: StudioValue
    isChanged: boolean
    message: string | null
    isReadable: boolean
    canCreate: boolean
    isQuiet?: boolean
}

interface Report { key: string, label: string, destination: string, predicate: string | null }

/** An entity in the list at the side. */
interface EntitySummary {
    name: string
    isAbstract: boolean
    parent: string | null
    children: string[]
    help: string | null
    canInsert?: boolean
    canImport?: boolean
    canExport?: boolean
}

/** What the predicate builder needs of an entity. */
interface BuilderEntity {
    name: string
    titleKey?: string | null
    attributes: Attribute[]
    relationships: Relation[]
}

interface EntityPage extends EntitySummary, BuilderEntity {
    reports: Report[]
    /** The model's fetch requests for objects of the entity. */
    templates: { name: string, predicate: string }[]
    columns: string[]
    creates: string[]
    searchable: Searchable[]
    /** What the app offers to do with objects. */
    actions: ObjectAction[]
}

interface ObjectAction { name: string, question: string | null }

/** A column that the search box can look in. */
interface Searchable { key: string, label: string, isStandard: boolean }

/** What is unsaved, and the numbers that grow with each change of it and of the store. */
interface Status {
    inserted: number
    updated: number
    deleted: number
    undo: string | null
    redo: string | null
    feed: { version: number, store: number }
}

interface Overview {
    entities: EntitySummary[]
    isReadOnly: boolean
    hasHistory: boolean
    hasSQL: boolean
    canRunSQL: boolean
    canSaveTemplate: boolean
    canPurge: boolean
    /** The store's version and the model's, where they differ and the store can be migrated. */
    migration: { from: string | null, to: string, isOffered: boolean } | null
    file: string | null
    status: Status
    title: string
}

interface ObjectPage {
    id: string
    entity: string
    title: string
    state: ObjectState
    uri: string
    message: string | null
    fields: ObjectField[]
    relationships: ObjectRelation[]
    reports: Report[] | null
    canUpdate: boolean
    canDelete: boolean
    status: Status
}

/** A column of a grid: the property, and the key or path that it is asked for by. */
type GridColumn = (Attribute | Relation) & { column: string }

interface GridRow {
    id: string
    entity: string
    state: ObjectState
    changed: string[]
    /** What is wrong with values that were set, by key. */
    messages: Record<string, string>
    cells: StudioValue[]
}

interface RowsAnswer { rows: GridRow[], columns: GridColumn[], isLast: boolean, status: Status }

interface FacetValue { label: StudioValue, filter: string | null, count: number, number: number | null }
interface FacetAnswer { values: FacetValue[], isCut: boolean }
interface ChartAnswer { rows: FacetValue[] }

/** A view of rows that has a name. */
interface NamedView {
    name: string
    query: {
        entity: string, columns?: string[] | null, sort?: string | null, filters?: Record<string, string>,
        predicate?: string | null, search?: string | null, searched?: string[] | null, variables?: Record<string, string>
    }
}
interface ViewsAnswer { views: NamedView[], place: string | null, canSave: boolean }

interface SQLAnswer { columns: string[], rows: StudioValue[][], isCut: boolean, milliseconds: number, plan: string[] }

/** What the data area's pages share. */
interface DataWorld {
    overview: Overview
    counts: Record<string, number>
    bar: { isUnsent(): boolean, wasRefused: boolean, save(): Promise<boolean> }
    /** Texts that the server refused. */
    refused: import("../scripts/data/state/refused.js").RefusedTexts
    place(...parts: string[]): string
    take(status: Status): void
    entity(name: string): EntitySummary | undefined
    /** Sends a change when its turn comes, and shows its result everywhere. */
    change(path: string, body: object): Promise<any>
    send(request: () => Promise<any>): Promise<any>
    /** Sends an attribute's value; a text that is refused is kept. */
    setValue(object: { id: string, title: string }, key: string, label: string, value: any):
        Promise<{ page?: ObjectPage, problem?: string }>
}

/** A page of an area, once it is shown. */
interface ShownPage {
    reload?(options?: { quiet?: boolean }): unknown
    stop?(): void
    /** Whether unsaved changes are in it. */
    showsUnsaved?: boolean
}

// Predicates as rows and groups.

interface Operand {
    kind: "key" | "constant" | "list" | "variable" | "object" | "expression"
    text: string
    /** Of constants and lists. */
    type?: "text" | "number" | "date" | "boolean" | "nil"
    items?: string[]
}

interface PredicateRow {
    type: "row"
    /** Whether somebody added it and hasn't said yet what it compares with. */
    isNew?: boolean
    modifier: string
    left: Operand
    op: string
    options: string
    right: Operand
}

interface PredicateGroup { type: "and" | "or" | "not", parts: PredicateTree[] }
/** A condition that has no row. */
interface PredicateText { type: "text", text: string }
type PredicateTree = PredicateGroup | PredicateRow | PredicateText

interface Mistake { message: string, position: number, length: number }

interface ParsedPredicate {
    error?: Mistake
    text: string
    form: PredicateTree
    variables: string[]
    objects: Record<string, Relation>
}

interface Suggestions { items: { text: string, kind: string, help?: string | null }[], start: number, length: number, text: string }

// Saving.

interface SaveProblem { object?: { id: string, title: string, entity: string }, key?: string, label?: string, message: string }
interface SaveConflict {
    id: string
    title: string
    entity: string
    isDeleted: boolean
    changedThere: string[]
    properties: { key: string, label: string, mine: StudioValue, theirs: StudioValue, before: StudioValue }[]
}
interface SaveAnswer {
    outcome: "saved" | "conflicts" | "problems"
    status: Status
    conflicts: SaveConflict[]
    problems: SaveProblem[]
}
interface UnsavedObject {
    id: string
    title: string
    entity: string
    state: ObjectState
    changes?: { label: string, before: StudioValue, after: StudioValue }[]
}

// History and statements.

type ChangeKind = "inserted" | "updated" | "deleted"
interface HistoryChange {
    id: string
    entity: string
    kind: ChangeKind
    title: string
    isThere: boolean
    properties: string[]
    kept: string | null
}
interface HistoryTransaction {
    number: number
    date: string
    author: string | null
    context: string | null
    count: number
    changes: HistoryChange[]
}
interface HistoryAnswer { transactions: HistoryTransaction[], authors: string[], next: number | null, isLast: boolean }
interface RunStatement { sql: string, bindings: string[], milliseconds: number }
interface StoreAction { number: number, title: string, date: string, milliseconds: number, count: number, statements: RunStatement[] }

// Import.

interface ImportPreview {
    columns: string[]
    rows: { line: number, cells: (string | null)[] }[]
    count: number
    mapping: Record<string, string>
    targets: string[]
}
interface ImportAnswer { count: number, failureCount: number, failures: { line: number, message: string }[], status: Status }

// Deleting.

interface NamedObject { name: string, title: string, keys?: string[] }
interface NamedObjects { count: number, objects: NamedObject[] }
interface DeletionPreview {
    asked: NamedObjects
    cascaded: NamedObjects
    nullified: NamedObjects
    denied: { count: number, objects: { object: NamedObject, message: string }[] }
}
