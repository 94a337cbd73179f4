/**
 * The browser as the scripts of pages see it. Every element that they look up is HTML, its tag is read from the selector, and forms hold
 * controls.
 */
type Tags = HTMLElementTagNameMap
type Before<Text extends string, Mark extends string> = Text extends `${infer Start}${Mark}${string}`
  ? Start
  : Text
/** What one selector without a combinator finds, such as `input[name="q"]`. */
type Found<Selector extends string> = Selector extends `${string}${' ' | ','}${string}`
  ? HTMLElement
  : Before<Before<Before<Before<Selector, '['>, '.'>, '#'>, ':'> extends infer Tag extends keyof Tags
    ? Tags[Tag]
    : HTMLElement

interface ParentNode {
  querySelector<Selector extends string>(selectors: Selector): Found<Selector> | null
  querySelectorAll<Selector extends string>(selectors: Selector): NodeListOf<Found<Selector>>
}
interface Element {
  closest<Selector extends string>(selectors: Selector): Found<Selector> | null
}

/** An input, a select or a textarea. Only inputs have `checked`. */
interface Control extends HTMLElement {
  readonly form: HTMLFormElement | null
  name: string
  type: string
  value: string
  disabled: boolean
  required: boolean
  checked?: boolean
}
interface HTMLFormControlsCollection {
  [Symbol.iterator](): ArrayIterator<Control>
}
