import type { Template } from '../templates/template.ts'

/** Replaces the name of an event in a template, in its queries and in their SQL. */
export function fillEvent(template: Template, from: string, to: string): Template {
  if (from === to) return template
  const quoted = (name: string) => `'${name.replaceAll("'", "''")}'`
  const fill = (value: unknown): unknown => {
    if (value === from) return to
    if (typeof value === 'string') return value.replaceAll(quoted(from), () => quoted(to))
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
  }
  const tiles = template.tiles.map((tile) =>
    tile.type === 'INSIGHT' ? { ...tile, query: fill(tile.query) as object } : tile,
  )
  return { ...template, name: `${template.name}: ${to}`, tiles }
}
