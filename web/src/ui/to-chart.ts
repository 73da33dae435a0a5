import { type Chart, unwrap } from '#model/chart.ts'

interface Answered {
  readonly name?: string
  readonly derived_name?: string | null
  readonly query: object
  readonly result: unknown
  /** Of SQL. */
  readonly columns?: readonly string[] | null
}

/** What an insight shows, as it is drawn. SQL answers rows, and its columns beside them. */
export function toChart({ name, derived_name, query, result, columns }: Answered): Chart {
  const title = name || derived_name || 'Insight'
  const isTable = unwrap(query).source.kind === 'HogQLQuery' && Array.isArray(result)
  if (!isTable) return { title, query, result }
  return { title, query, result: { columns: columns ?? numbered(result), results: result } }
}

/** Where nobody said what the columns are called. */
const numbered = ([first]: readonly unknown[]): string[] =>
  Array.isArray(first) ? first.map((_, at) => `Column ${at + 1}`) : []
