import type { SelectQueryBuilder } from 'kysely'

/** Counts the rows of a query that selects nothing yet. */
export async function countRows<Tables, Names extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Names, object>,
): Promise<number> {
  const [row] = await query.select((eb) => eb.fn.countAll().as('count')).execute()
  return Number((row as { readonly count: unknown } | undefined)?.count)
}
