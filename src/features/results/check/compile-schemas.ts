import { isObject } from '#model/json.ts'
import { SCHEMAS } from '#server/analytics/queries/schemas.ts'
import { prepareSchemaCheck } from '#server/http/validation.ts'
import { createTurns } from '#server/turns.ts'

const prepared = new Set<unknown>()
const { enter } = createTurns()

/** Compiles the schemas of kinds that no query has used before, because the check would pause the event loop for it. */
export async function compileSchemas(queries: readonly object[]): Promise<void> {
  const kinds = new Set(queries.flatMap(kindsIn)).difference(prepared)
  if (kinds.size === 0) return
  for (const kind of kinds) {
    const schema = SCHEMAS.get(kind)
    if (!schema) continue // the check refuses it
    await prepareSchemaCheck(schema)
    prepared.add(kind)
  }
  await new Promise<void>(enter) // or hundreds of requests that waited for a schema would continue in the same turn
}

/** Lists the kinds of a query and of the queries inside it. */
const kindsIn = (query: object): unknown[] => {
  const { kind, source } = query as { kind?: unknown; source?: unknown }
  return isObject(source) ? [kind, ...kindsIn(source)] : [kind]
}
