import { expect, it } from 'vitest'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { SCHEMAS } from './schemas.ts'

it.each(QUERY_KINDS)(
  '$kind has a schema, a compiler, actors and a chart',
  async ({ id, kind, loadDrawing }) => {
    const compiler = await import(`./${id}/compile.ts`)
    const actors = await import(`./${id}/actors.ts`)

    expect(SCHEMAS.get(kind)).toHaveProperty('properties.kind')
    expect(compiler[`compile${kind}`]).toBeTypeOf('function')
    expect(actors[`select${kind}Actors`]).toBeTypeOf('function')
    expect(await loadDrawing()).toBeTypeOf('function')
  },
)

it.each(QUERY_KINDS)('a new $kind matches its schema', ({ kind, newQuery }) => {
  const schema = SCHEMAS.get(kind)
  if (!schema) throw new Error('no schema')

  expect(() => getSchemaCheck(schema)(newQuery, 'query')).not.toThrow()
})
