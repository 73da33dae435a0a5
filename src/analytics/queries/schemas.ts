import type { TSchema } from 'typebox'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'

const loadSchema = async (id: string, kind: string): Promise<TSchema> =>
  (await import(`#model/query-kinds/${id}.schema.ts`))[kind]

/** The schema of each kind of query. */
export const SCHEMAS: ReadonlyMap<unknown, TSchema> = new Map(
  await Promise.all(
    QUERY_KINDS.map(async ({ id, kind }) => [kind, await loadSchema(id, kind)] as const),
  ),
)
