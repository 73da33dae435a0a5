import { unwrapQuery } from '#model/query-node.ts'

const OLD_KIND = /^(Trends|Funnels|Retention|Paths|Stickiness|Lifecycle)Query$/

/** Returns the part of `filters`, which preceded `query`, that older apps read: `{"insight":"TRENDS"}`, or nothing. */
export function toLegacyFilters(query: string): { readonly insight?: string } {
  const { kind } = unwrapQuery(JSON.parse(query)).source
  const name = OLD_KIND.exec(String(kind))?.[1]
  return name ? { insight: name.toUpperCase() } : {}
}
