// Values of attributes as the server sends them: plain JSON, or a record that `$` tells the kind of.

/** A related object, or one of a list. `hidden` where the person may not read it. */
interface ObjectLink {
    $: "object"
    id: string
    title: string
    entity: string
    state?: ObjectState
    hidden?: boolean
}

type ObjectState = "saved" | "new" | "changed" | "deleted"

interface ColorValue { $: "color", red: number, green: number, blue: number, alpha: number }
/** Bytes; `text` is what they encode, if that is plain. */
interface DataValue { $: "data", bytes: number, type: string | null, text: string | null }
interface CompositeValue { $: "composite", isNull: boolean, fields: { key: string, value: StudioValue }[] }
/** A text that is cut, with its whole length. */
interface CutText { $: "text", text: string, length: number }
interface TaggedText {
    $: "integer" | "number" | "decimal" | "date" | "uuid" | "url" | "tree"
    text: string
    /** A tree that bytes hold in another form than an archive, which is never written. */
    isCoded?: boolean
}

type StudioValue =
    null | boolean | number | string | ObjectLink | ColorValue | DataValue | CompositeValue | CutText | TaggedText
    | { $: "members", count: number } | { $: "fault", count: number | null }
