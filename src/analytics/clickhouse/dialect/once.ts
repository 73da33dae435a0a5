import { createHash } from 'node:crypto'

/** Names and numbers, which are short and cost nothing to repeat. */
const SIMPLE = /^[\w.`]{1,80}$/

/**
 * Writes a text that repeats a value, which is computed and written only once: ClickHouse lets any part of a statement
 * have a name. Without it, functions within functions would make statements of megabytes. The same value has the same
 * name everywhere, so that a GROUP BY finds its expression in the SELECT.
 */
export function writeOnce(value: string, toText: (value: string) => string): string {
  if (SIMPLE.test(value)) return toText(value)
  const name = `v_${createHash('sha1').update(value).digest('hex').slice(0, 16)}`
  return toText(name).replace(name, () => `(${value} as ${name})`)
}
