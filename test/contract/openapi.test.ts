import { existsSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'

const FILE = new URL('../../openapi.json', import.meta.url)

describe('the OpenAPI document', () => {
  it('equals openapi.json (update it with `npm run openapi`)', async () => {
    const api = await useApp()

    const document = (await api.withKey(undefined).get('/api/schema')).body

    expect(existsSync(FILE), 'openapi.json is missing').toBe(true)
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(document)
  })

  it('has an ID and a summary for every operation', async () => {
    const { app } = await useApp()

    const operations = Object.values(app.openApiDocument().paths).flatMap(Object.values)

    expect(operations.length).toBeGreaterThan(25)
    for (const { operationId, summary, tags } of operations) {
      expect({ operationId, summary, tags }).toEqual({
        operationId: expect.stringMatching(/^[a-z]\w+$/),
        summary: expect.stringMatching(/^[A-Z].{3,70}$/),
        tags: [expect.any(String)],
      })
    }
  })

  it('describes every tag', async () => {
    const { app } = await useApp()

    for (const { name, description } of app.openApiDocument().tags) {
      expect(description, `src/api-info.ts describes ${name}`).toMatch(/^[A-Z].+\.$/)
    }
  })

  it('has a successful response for every operation but the refused deletes', async () => {
    const { app } = await useApp()

    const operations = Object.values(app.openApiDocument().paths).flatMap(Object.entries)
    const failing = operations.filter(
      ([, { responses }]) => !Object.keys(responses).some((status) => status.startsWith('2')),
    )

    expect(failing.length).toBeGreaterThan(0)
    for (const [method, { responses }] of failing) {
      expect([method, ...Object.keys(responses)]).toEqual(['delete', '401', '403', '404', '405'])
    }
  })

  it('names every list of choices, because generated clients name a type after it', async () => {
    const { app } = await useApp()
    const { components } = app.openApiDocument()

    const unnamed = Object.entries(components.schemas).flatMap(([name, schema]) =>
      findChoices(schema, name).filter((path) => path !== name),
    )

    expect(unnamed).toEqual([])
    expect(Object.keys(components.schemas)).toContain('AlertState')
  })

  it('bounds every integer that a client sends, because no column holds larger ones', async () => {
    const { app } = await useApp()
    const { components, paths } = app.openApiDocument()

    const operations = Object.values(paths).flatMap(Object.values)
    const unbounded = operations.flatMap(({ operationId, parameters = [], requestBody }) => {
      const contents: { schema: object }[] = Object.values(requestBody?.content ?? {})
      return [
        // a path with an ID that no column holds is not found
        ...parameters.filter((parameter: { in: string }) => parameter.in === 'query'),
        ...contents.map(({ schema }) => ({ name: 'body', schema })),
      ].flatMap(({ name, schema }) =>
        findUnbounded(schema, `${operationId}.${name}`, components.schemas),
      )
    })

    // a larger limit is lowered to the longest page
    expect(unbounded.filter((path) => !path.endsWith('.limit'))).toEqual([])
  })

  it('contains only valid schemas', async () => {
    const { app } = await useApp()
    const { components, paths } = app.openApiDocument()
    const ajv = new Ajv2020({ strict: false, validateFormats: false })

    const ofOperations = Object.values(paths)
      .flatMap(Object.values)
      .flatMap(({ operationId, parameters = [], requestBody }) =>
        [...parameters, ...Object.values(requestBody?.content ?? {})].map(({ schema }) => [
          operationId,
          schema,
        ]),
      )

    for (const [name, schema] of [...Object.entries(components.schemas), ...ofOperations]) {
      void ajv.validateSchema(schema)
      expect(ajv.errors, name).toBeNull()
    }
  })
})

/** Finds the paths of integers without a maximum in a schema and in those that it refers to. */
function findUnbounded(
  schema: object,
  path: string,
  named: Readonly<Record<string, object>>,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  if ('$ref' in schema) {
    const name = String(schema.$ref).split('/').at(-1) ?? ''
    const target = named[name]
    if (!target || seen.has(name)) return []
    return findUnbounded(target, name, named, new Set([...seen, name]))
  }
  const isUnbounded = 'type' in schema && schema.type === 'integer' && !('maximum' in schema)
  const inner = Object.entries(schema)
    .filter(([, value]) => value !== null && typeof value === 'object')
    .flatMap(([key, value]) => findUnbounded(value, `${path}.${key}`, named, seen))
  return isUnbounded && !('enum' in schema) ? [path, ...inner] : inner
}

/** Finds the paths of the schemas with two or more fixed values. */
function findChoices(schema: object, path: string): string[] {
  const isChoice = 'enum' in schema && Array.isArray(schema.enum) && schema.enum.length > 1
  const inner = Object.entries(schema)
    .filter(([, value]) => value !== null && typeof value === 'object')
    .flatMap(([key, value]) => findChoices(value, `${path}.${key}`))
  return isChoice ? [path, ...inner] : inner
}
