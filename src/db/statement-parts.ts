/** Parts that one module adds to a statement of another, so that they cost no statement of their own. */

/** `text` is a constant of its module: a statement is made for each. */
export type Part = { text: PartText; values: readonly unknown[] }
/** SQL with its values named by the statement that it becomes part of: `place(1)` → `$6`. */
export type PartText = (place: (position: number) => string) => string

/** The part where so many values come before its own. */
export function placed(text: PartText, before = 0): string {
  return text((position) => `$${before + position}`)
}

/** Statements that differ in a part of theirs: each is made when it is first wanted. `null` names the one without, where there is one. */
export function statementsWith<Text extends PartText | null, Statement>(
  make: (part: Text) => Statement,
): (part: Text) => Statement {
  const made = new Map<Text, Statement>()
  return (part) => {
    const known = made.get(part) ?? make(part)
    made.set(part, known)
    return known
  }
}
