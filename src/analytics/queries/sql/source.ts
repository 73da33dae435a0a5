/** A user's SQL as DuckDB parses it, and the original position of its characters. */
export interface Source {
  readonly text: string
  /** Converts a position in `text`, in characters from 0, to one in the user's text, from 1. */
  toPlace(index: number): number
}

/** Matches strings, quoted names and comments, which stay as they are, then the parts to replace. */
const TOKENS =
  /e'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|\$(\w*)\$[\s\S]*?\$\1\$|"(?:""|[^"])*"|--[^\n]*|\/\*[\s\S]*?\*\/|\.(\$[A-Za-z_][\w$]*)|(?<![\w$])(\$(?:group_[0-4]|(?:start|end|entry|session|event|pageview|screen|autocapture|is|channel|device|geoip)_[a-z0-9_]+|browser|os))\b|(\{\s*[A-Za-z_][\w.]*\s*\})|\bin\s+cohort\s+(\d+|'(?:''|[^'])*')/giu

/**
 * Quotes names like `properties.$browser`, `$group_0` and `$start_timestamp`, which PostHog accepts and DuckDB does not, and placeholders,
 * which are parsed as names, and makes `in cohort 5` a call of a function, `in cohort (5)`. The output is only parsed, so
 * a mistake here causes at worst a syntax error.
 */
export function toDuckDbSource(text: string): Source {
  const inserted: number[] = []
  let added = 0
  const replaced = text.replace(
    TOKENS,
    (token, _tag, property, group, placeholder, cohort, place: number) => {
      const inner: string | undefined = property ?? group ?? placeholder ?? cohort
      if (inner === undefined) return token
      const before = token.slice(0, -inner.length)
      const start = place + added + before.length
      inserted.push(start, start + inner.length + 1)
      added += 2
      return cohort === undefined ? `${before}"${inner}"` : `${before}(${inner})`
    },
  )
  const toPlace = (index: number): number => {
    const place = [...replaced].slice(0, index).join('').length
    return place - inserted.filter((quote) => quote < place).length + 1
  }
  return { text: replaced, toPlace }
}
