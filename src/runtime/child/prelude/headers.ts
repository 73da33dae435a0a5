export type HeadersInput =
  | Headers
  | Iterable<readonly [string, unknown]>
  | Readonly<Record<string, unknown>>
  | null
  | undefined

/** node-fetch's `Headers`: names in any case, several values of one name joined by a comma. */
export class Headers implements Iterable<[string, string]> {
  readonly #values = new Map<string, string[]>()

  constructor(input?: HeadersInput) {
    if (!input) return
    if (input instanceof Headers) {
      for (const [name, values] of Object.entries(input.raw())) {
        for (const value of values) this.append(name, value)
      }
      return
    }
    const pairs = Symbol.iterator in input ? input : Object.entries(input)
    for (const [name, value] of pairs as Iterable<readonly [string, unknown]>) {
      for (const item of Array.isArray(value) ? value : [value]) this.append(name, item)
    }
  }

  append(name: string, value: unknown): void {
    const key = String(name).toLowerCase()
    this.#values.set(key, [...(this.#values.get(key) ?? []), String(value)])
  }

  set(name: string, value: unknown): void {
    this.#values.set(String(name).toLowerCase(), [String(value)])
  }

  get(name: string): string | null {
    return this.#values.get(String(name).toLowerCase())?.join(', ') ?? null
  }

  has(name: string): boolean {
    return this.#values.has(String(name).toLowerCase())
  }

  delete(name: string): void {
    this.#values.delete(String(name).toLowerCase())
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) visit.call(self, value, name, this)
  }

  raw(): Record<string, string[]> {
    return Object.fromEntries(this.#values)
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) yield [name, this.get(name) ?? '']
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}
