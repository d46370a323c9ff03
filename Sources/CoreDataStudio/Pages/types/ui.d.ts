// What the pages' elements are made from.

/** The element that a tag such as `input.wide` makes. */
type Made<T extends string> =
    T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T]
    : T extends `${infer Name}.${string}` ? (Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement)
    : HTMLElement

/** What stands in an element: nested lists are flattened; null, undefined and false leave nothing. */
type Content = Node | string | null | undefined | boolean | readonly Content[]

/** Attributes, `on…` listeners, `dataset`, `vars` (custom properties of CSS). */
interface Attributes {
    [listener: `on${string}`]: ((event: any) => unknown) | null | undefined
    dataset?: Record<string, string | number | undefined>
    vars?: Record<string, string>
    [name: string]: any
}

/** A labelled field. `say(text)` puts a message below it, or takes it away. */
interface FieldBox extends HTMLDivElement { say(text?: string | null): void }

/** The editor of an object's field: takes another value with `update` unless the person is typing there. */
interface FieldEditor extends HTMLElement {
    say?(text?: string | null): void
    update(field: ObjectField): void
}

interface ButtonOptions {
    icon?: string | null
    kind?: string | null
    label?: string | null
    title?: string | null
    disabled?: boolean
    [listener: `on${string}`]: ((event: any) => unknown) | null | undefined
    [attribute: string]: any
}

/** The shown page of a relationship on an object's page. */
interface RelationView { element: HTMLElement, update(relation: ObjectRelation): void }
