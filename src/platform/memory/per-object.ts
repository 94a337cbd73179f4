/** Makes one value for each object on first use, such as a limiter for each database. The value is freed with its object. */

export function perObject<Owner extends object, Value extends object>(
  make: (owner: Owner) => Value,
): (owner: Owner) => Value {
  const made = new WeakMap<Owner, Value>()
  return (owner) => {
    const known = made.get(owner)
    if (known !== undefined) return known
    const value = make(owner)
    made.set(owner, value)
    return value
  }
}
