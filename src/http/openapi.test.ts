import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifySchema,
} from 'fastify'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installOpenApi } from './openapi.ts'
import type { OpenApiDocument, Operation } from './openapi-document.ts'

const INFO = { title: 'Toy', version: '1.2.3', description: 'A toy.' }
const Author = Type.Object({ name: Type.String() }, { title: 'Author' })
const Note = Type.Object(
  { id: Type.Integer(), title: Type.String(), author: Type.Union([Author, Type.Null()]) },
  { title: 'Note' },
)
const params = Type.Object({
  project_id: Type.String(),
  id: Type.Integer({ description: 'Its id.' }),
})
const handler = async () => ({})

function startApp(routes: (app: FastifyInstance) => void): FastifyInstance {
  const app = Fastify({ exposeHeadRoutes: true })
  onTestFinished(() => app.close())
  app.setValidatorCompiler(() => () => true) // Fastify's own refuses unknown keywords
  installOpenApi(app, INFO)
  routes(app)
  return app
}

function noteRoutes(app: FastifyInstance): void {
  app.register(
    async (notes) => {
      notes.get('/', {
        config: { scope: 'dashboard:read' },
        schema: {
          operationId: 'listNotes',
          summary: 'List notes',
          tags: ['Notes'],
          params,
          querystring: Type.Object({ limit: Type.Optional(Type.Integer()), sort: Type.String() }),
          response: { 200: Type.Array(Note) },
        },
        handler,
      })
      notes.delete('/:id', {
        config: { scope: 'dashboard:write' },
        schema: {
          operationId: 'removeNote',
          description: 'Gone for good.',
          tags: ['Notes'],
          params,
          response: { 204: Type.Null({ description: 'Removed.' }) },
        },
        handler,
      })
    },
    { prefix: '/api/projects/:project_id/notes' },
  )
}

const readDocument = async (routes: (app: FastifyInstance) => void): Promise<OpenApiDocument> => {
  const app = startApp(routes)
  await app.ready()
  return app.openApiDocument()
}

const documentOfRoute = (
  schema: FastifySchema,
  url = '/x',
  scope: FastifyContextConfig['scope'] = 'public',
) =>
  readDocument((app) => {
    app.post(url, { config: { scope }, schema: { operationId: 'x', ...schema }, handler })
  })

const answering = (schema: object): FastifySchema => ({ response: { 200: schema } })

describe('OpenAPI document', () => {
  it('names the service and lists paths and tags in the order of registration', async () => {
    const document = await readDocument(noteRoutes)

    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: '/' }],
      tags: [{ name: 'Notes' }],
    })
    expect(Object.keys(document.paths)).toEqual([
      '/api/projects/{project_id}/notes',
      '/api/projects/{project_id}/notes/{id}',
    ])
  })

  it('follows the structure of OpenAPI 3.1', async () => {
    expect(faultsOf(await readDocument(noteRoutes))).toEqual([])
  })

  it('moves titled schemas, including nested ones, into components', async () => {
    const { paths, components } = await readDocument(noteRoutes)

    expect(Object.keys(components.schemas)).toEqual(['Author', 'ErrorResponse', 'Note'])
    expect(components.schemas.Note?.properties?.author).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'null' }],
    })
    expect(paths['/api/projects/{project_id}/notes']?.get?.responses[200]?.content).toEqual({
      'application/json': {
        schema: { type: 'array', items: { $ref: '#/components/schemas/Note' } },
      },
    })
  })

  it("does not confuse a property named title with a schema's title", async () => {
    const { components } = await readDocument(noteRoutes)

    expect(components.schemas.Note?.properties?.title).toEqual({ type: 'string' })
  })

  it.each([
    ['a record', Type.Record(Type.String(), Author, { title: 'Authors' })],
    ['an open object', Type.Object({}, { title: 'Authors', additionalProperties: Author })],
  ])('writes %s with additional properties', async (_, schema) => {
    const { components } = await documentOfRoute(answering(schema))

    expect(components.schemas.Authors).toMatchObject({
      type: 'object',
      additionalProperties: { $ref: '#/components/schemas/Author' },
    })
    expect(components.schemas.Authors).not.toHaveProperty('patternProperties')
  })

  it('reads parameters from the schemas, path parameters only if the path has them', async () => {
    const { paths } = await readDocument(noteRoutes)

    expect(paths['/api/projects/{project_id}/notes']?.get?.parameters).toEqual([
      { name: 'project_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
      { name: 'sort', in: 'query', required: true, schema: { type: 'string' } },
    ])
    expect(paths['/api/projects/{project_id}/notes/{id}']?.delete?.parameters?.[1]).toEqual({
      name: 'id',
      in: 'path',
      required: true,
      description: 'Its id.',
      schema: { type: 'integer' },
    })
  })

  it('documents a path parameter without a schema as a string', async () => {
    const { paths } = await documentOfRoute(answering(Note), '/x/:name')

    expect(paths['/x/{name}']?.post?.parameters).toEqual([
      { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
    ])
  })

  it('documents the type that clients should send instead of the one that is checked', async () => {
    const id = Type.Integer({ title: 'NoteId', description: 'Its id.' })
    const params = Type.Object({ id: Type.String({ documented: id }) })

    const { paths, components } = await documentOfRoute({ params, ...answering(Note) }, '/x/:id')

    expect(components.schemas.NoteId).toMatchObject({ type: 'integer' })
    expect(paths['/x/{id}']?.post?.parameters).toEqual([
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Its id.',
        schema: { $ref: '#/components/schemas/NoteId' },
      },
    ])
  })

  it('keeps the description of a field beside the reference to its schema', async () => {
    const Mood = Type.Enum(['calm', 'wild'], { title: 'Mood', description: 'A mood.' })
    const described = { ...Mood, description: 'The mood of today.' }

    const { paths, components } = await documentOfRoute(answering(Type.Tuple([Mood, described])))

    expect(components.schemas.Mood?.description).toBe('A mood.')
    expect(JSON.stringify(paths)).toContain(
      '{"$ref":"#/components/schemas/Mood","description":"The mood of today."}',
    )
  })

  it('omits keywords that only the server reads', async () => {
    const query = Type.Object({ display: Type.String() }, { title: 'Query', display: ['color'] })

    const { components } = await documentOfRoute(answering(query))

    expect(Object.keys(components.schemas.Query ?? {})).not.toContain('display')
    expect(components.schemas.Query?.properties).toHaveProperty('display')
  })

  it('marks an operation that never succeeds as deprecated', async () => {
    const refused = { response: { 405: Type.Null({ description: 'Always.' }) } }

    expect((await documentOfRoute(refused)).paths['/x']?.post?.deprecated).toBe(true)
    expect((await documentOfRoute(answering(Note))).paths['/x']?.post).not.toHaveProperty(
      'deprecated',
    )
  })

  it('requires a body only if one of its fields is required', async () => {
    const body = Type.Object({ a: Type.String() })

    const needed = await documentOfRoute({ body, ...answering(Note) })
    const optional = await documentOfRoute({ body: Type.Partial(body), ...answering(Note) })

    expect(needed.paths['/x']?.post?.requestBody?.required).toBe(true)
    expect(optional.paths['/x']?.post?.requestBody).toEqual({
      content: {
        'application/json': { schema: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    })
  })

  it('documents a null response without content', async () => {
    const { paths } = await readDocument(noteRoutes)

    const removed = paths['/api/projects/{project_id}/notes/{id}']?.delete?.responses[204]
    expect(removed).toEqual({ description: 'Removed.' })
  })

  it('keeps the content types of a response', async () => {
    const picture = { description: 'A picture.', content: { 'image/png': { schema: {} } } }

    const { paths } = await documentOfRoute(answering(picture))

    expect(paths['/x']?.post?.responses[200]).toEqual(picture)
  })

  it('states the scope in security and in the description', async () => {
    const { paths, components } = await readDocument(noteRoutes)

    expect(paths['/api/projects/{project_id}/notes/{id}']?.delete).toMatchObject({
      description: 'Gone for good.\n\nNeeds a personal API key with the scope `dashboard:write`.',
      security: [{ personalApiKey: ['dashboard:write'] }],
    })
    expect(components.securitySchemes.personalApiKey).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    })
  })

  it.each([
    ['public', '/x', [], ['200']],
    ['key', '/x', [{ personalApiKey: [] }], ['200', '401', '403']],
    ['key', '/x/:project_id', [{ personalApiKey: [] }], ['200', '401', '403', '404']],
    ['plugin:read', '/x', [{ personalApiKey: ['plugin:read'] }], ['200', '401', '403']],
  ] as const)(
    'lists the possible errors for the scope %s on %s',
    async (scope, url, security, statuses) => {
      const { paths } = await documentOfRoute(answering(Note), url, scope)

      const operation = Object.values(paths)[0]?.post
      expect(operation?.security).toEqual(security)
      expect(Object.keys(operation?.responses ?? {})).toEqual(statuses)
    },
  )

  it('adds 400 to operations with a body or a query', async () => {
    const { paths } = await documentOfRoute({ body: Type.Object({}), ...answering(Note) })

    expect(paths['/x']?.post?.responses[400]).toEqual({ $ref: '#/components/responses/BadRequest' })
  })

  it('omits hidden and unnamed routes, HEAD and trailing slashes', async () => {
    const { paths } = await readDocument((app) => {
      const named = { operationId: 'x', response: { 200: Note } }
      app.get('/hidden', { config: { scope: 'public' }, schema: { ...named, hide: true }, handler })
      app.get('/unnamed', { config: { scope: 'public' }, handler })
      app.get('/seen', { config: { scope: 'public' }, schema: named, handler })
      app.get('/seen/', { config: { scope: 'public' }, schema: named, handler })
    })

    expect(Object.keys(paths)).toEqual(['/seen'])
    expect(Object.keys(paths['/seen'] ?? {})).toEqual(['get'])
  })

  it.each([
    ['one title for two schemas', Type.Tuple([Note, Type.Object({}, { title: 'Note' })]), 'Note'],
    ['a title that is no name', Type.Object({}, { title: 'My note' }), 'My note'],
  ])('rejects %s', async (_, schema, name) => {
    await expect(documentOfRoute(answering(schema))).rejects.toThrow(name)
  })

  it('rejects duplicate operation IDs and operations without a response', async () => {
    const add = (app: FastifyInstance, url: string, response?: object) =>
      app.get(url, {
        config: { scope: 'public' },
        schema: { operationId: 'same', response },
        handler,
      })

    const twice = readDocument((app) => {
      add(app, '/a', { 200: Note })
      add(app, '/b', { 200: Note })
    })

    await expect(twice).rejects.toThrow('Two operations are named same')
    await expect(readDocument((app) => add(app, '/a'))).rejects.toThrow('same declares no response')
  })

  it('is served as JSON without authentication', async () => {
    const app = startApp(noteRoutes)

    const response = await app.inject('/api/schema')

    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual(app.openApiDocument())
  })
})

function faultsOf({ paths, components }: OpenApiDocument): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index),
    ...operations.flatMap(({ path, operation }) => faultsOfOperation(path, operation)),
    ...Object.values(components)
      .flatMap(Object.keys)
      .filter((name) => !/^[\w.-]+$/.test(name)),
    ...[
      ...JSON.stringify({ paths, components }).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g),
    ]
      .filter(([, kind, name]) => !components[kind as 'schemas']?.[name as string])
      .map(([ref]) => ref),
  ]
}

function faultsOfOperation(path: string, operation: Operation): string[] {
  const { operationId, parameters = [], responses } = operation
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const declared = parameters.filter((parameter) => parameter.in === 'path' && parameter.required)
  const statuses = Object.keys(responses)
  const described = Object.values(responses).every(({ $ref, description }) => $ref ?? description)
  return [
    inPath.join() !== declared.map(({ name }) => name).join() && 'path parameters',
    !statuses.some((status) => /^[1-5](\d\d|XX)$/.test(status)) && 'no status',
    !described && 'a response without description',
  ].flatMap((fault) => (fault ? [`${operationId}: ${fault}`] : []))
}
