/** A user's text as DuckDB reads it, and where its characters were. */
export interface Source {
  readonly text: string
  /** The first placeholder that is unknown here. */
  readonly unknownPlaceholder: string | undefined
  /** The place in the user's text, counted from 1, of one in `text` as DuckDB counts: in whole characters from 0. */
  toPlace(index: number): number
}

/** Strings, quoted names and comments, in which nothing is replaced; then what may be. */
const TOKENS =
  /e'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|--[^\n]*|\/\*[\s\S]*?\*\/|\.(\$[A-Za-z_][\w$]*)|(\{\s*[A-Za-z_][\w.]*\s*\})/giu

const FILTERS = /^\{\s*filters\s*\}$/i

/**
 * `properties.$browser` is how upstream's users write a property, and no name to DuckDB unless quoted. `{filters}` is
 * where upstream puts a dashboard's filters. What comes out is only parsed: if this reads a text wrongly, the worst is
 * a syntax error.
 */
export function toDuckDbSource(text: string): Source {
  const inserted: number[] = []
  let unknownPlaceholder: string | undefined
  let added = 0
  const replaced = text.replace(TOKENS, (token, name, placeholder, place: number) => {
    if (name !== undefined) {
      inserted.push(place + added + 1, place + added + token.length + 1)
      added += 2
      return `."${name}"`
    }
    if (placeholder === undefined) return token
    if (FILTERS.test(placeholder)) return 'true'.padEnd(token.length)
    unknownPlaceholder ??= placeholder
    return token
  })
  const toPlace = (index: number): number => {
    const place = [...replaced].slice(0, index).join('').length
    return place - inserted.filter((quote) => quote < place).length + 1
  }
  return { text: replaced, unknownPlaceholder, toPlace }
}
