import type { FastifySchema } from 'fastify'
import { Type } from 'typebox'
import { hoistSchema, type JsonSchema, mapValues, toDocumented } from './openapi-schema.ts'
import { unappliedNote } from './unapplied-filters.ts'

/** Not imported, because an import reads each export, and one of them loads Node's own fetch: 16 MB. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export type Content = Record<string, { schema: JsonSchema }>
export type Parameter = {
  name: string
  in: 'path' | 'query'
  required?: true
  description?: string
  schema: JsonSchema
}
export type ResponseObject = { $ref?: string; description?: string; content?: Content }
export type Operation = {
  operationId: string
  summary?: string
  /** Ends with a paragraph on the key that the operation needs. */
  description: string
  tags?: string[]
  deprecated?: true
  security: { personalApiKey: string[] }[]
  parameters?: Parameter[]
  requestBody?: { required?: true; content: Content }
  responses: Record<string, ResponseObject>
}
export type ApiInfo = {
  title: string
  version: string
  description: string
  license?: { name: string; identifier: string }
}
export type Tag = { name: string; description?: string }
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: ApiInfo
  servers: { url: string }[]
  tags: Tag[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ResponseObject>
    securitySchemes: Record<string, Record<string, string>>
  }
}

export type ApiRoute = {
  method: string
  url: string
  scope: string
  adminOnly?: boolean
  viewers?: true | 'if exports are allowed'
  unappliedFilters?: readonly string[]
  schema: FastifySchema
}
type Refer = (schema: object) => JsonSchema

export const ErrorBody = Type.Object(
  {
    type: Type.String({
      description: 'The category of the error.',
      examples: ['validation_error'],
    }),
    code: Type.String({ description: 'The error for programs.', examples: ['max_length'] }),
    detail: Type.String({
      description: 'The error for people.',
      examples: ['Ensure this field has no more than 400 characters.'],
    }),
    attr: Type.Union([Type.String(), Type.Null()], {
      description: 'The invalid field, or null if the error is not about one field.',
      examples: ['name'],
    }),
  },
  { title: 'ErrorResponse', description: 'The body of every error response.' },
)

/** For operations that a record's state can forbid. */
export const Conflict = {
  description: 'The state of the record forbids this. `detail` says why.',
  content: { 'application/json': { schema: ErrorBody } },
}

/** For operations that change one version of a record. */
export const VersionConflict = {
  description: 'The record has another version. `detail` names it.',
  content: { 'application/json': { schema: ErrorBody } },
}

/** For operations that take files. */
export const TooLarge = {
  description: 'The file, or the form, is too large.',
  content: { 'application/json': { schema: ErrorBody } },
}

const SHARED_RESPONSES = {
  BadRequest: 'The body or the query is invalid.',
  Forbidden: 'The key lacks the scope, or its owner may not do this.',
  NotFound: 'No such project or record.',
  Unauthorized: 'The key is missing, unknown, revoked or expired.',
}

/** Throws if routes contradict each other: two schemas with one title, or two operations with one ID. */
export function toDocument(
  info: ApiInfo,
  routes: ApiRoute[],
  tagDescriptions: Readonly<Record<string, string>> = {},
): OpenApiDocument {
  const schemas = new Map<string, JsonSchema>()
  const refer: Refer = (schema) => hoistSchema(schema, schemas)
  const paths: OpenApiDocument['paths'] = {}
  const tags = new Set<string>()
  const operationIds = new Set<string>()
  const errorContent = { 'application/json': { schema: refer(ErrorBody) } }

  for (const route of routes) {
    const path = toPath(route.url)
    const method = route.method.toLowerCase()
    if (method === 'head' || paths[path]?.[method]) continue
    const operation = toOperation(route, path, refer)
    if (operationIds.has(operation.operationId)) {
      throw new Error(`Two operations are named ${operation.operationId}`)
    }
    operationIds.add(operation.operationId)
    for (const tag of operation.tags ?? []) tags.add(tag)
    paths[path] = { ...paths[path], [method]: operation }
  }

  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: mapValues(SHARED_RESPONSES, (description) => ({
        description,
        content: errorContent,
      })),
      securitySchemes: {
        personalApiKey: { type: 'http', scheme: 'bearer', description: 'A personal API key.' },
      },
    },
  }
  // the round trip drops undefined values and TypeBox's symbols, so that it equals what a client reads
  return JSON.parse(JSON.stringify(document))
}

function toOperation(route: ApiRoute, path: string, refer: Refer): Operation {
  const { scope, unappliedFilters, schema } = route
  const { operationId = '', summary, description, tags } = schema
  const body = schema.body as JsonSchema | undefined
  const query = schema.querystring as JsonSchema | undefined
  const parameters = [
    ...toPathParameters(path, schema.params as JsonSchema | undefined, refer),
    ...toQueryParameters(query, refer),
  ]
  if (!schema.response) throw new Error(`${operationId} declares no response`)
  const succeeds = Object.keys(schema.response).some((status) => status.startsWith('2'))
  const needsKey = scope !== 'public'
  const needsScope = needsKey && scope !== 'key' && scope !== 'account'
  const mayForbid =
    needsScope ||
    scope === 'account' ||
    (needsKey && (path.includes('{project_id}') || !route.viewers))
  return {
    operationId,
    summary,
    description: [description, unappliedNote(unappliedFilters), accessNote(route)]
      .filter(Boolean)
      .join('\n\n'),
    tags,
    deprecated: succeeds ? undefined : true, // generated clients then warn about calling it
    security: needsKey ? [{ personalApiKey: needsScope ? [scope] : [] }] : [],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: (body || schema.nonJsonBody) && {
      required: body?.required?.length ? true : undefined,
      content: {
        ...(body && toContent(body, refer)),
        ...mapValues(schema.nonJsonBody ?? {}, (media) => ({ schema: refer(media.schema) })),
      },
    },
    responses: {
      ...((body || query || unappliedFilters || schema.nonJsonBody) && {
        400: shared('BadRequest'),
      }),
      ...(needsKey && { 401: shared('Unauthorized') }),
      ...(mayForbid && { 403: shared('Forbidden') }),
      ...(path.includes('{') && { 404: shared('NotFound') }),
      ...toResponses(schema.response as Record<string, JsonSchema>, refer),
    },
  }
}

const VIEWER_NOTES: Readonly<Record<string, string>> = {
  true: ' Open to viewers of the project.',
  'if exports are allowed': ' Open to viewers if the project lets them export.',
}

function accessNote({ scope, adminOnly = false, viewers }: ApiRoute): string {
  if (scope === 'public') return 'Needs no key.'
  if (scope === 'key') return 'Needs a personal API key with any scope.'
  if (scope === 'account') return 'Needs a session, or a personal API key with every scope.'
  const holder = adminOnly ? ' of an admin or owner' : ''
  return `Needs a personal API key${holder} with the scope \`${scope}\`.${VIEWER_NOTES[`${viewers}`] ?? ''}`
}

const shared = (name: keyof typeof SHARED_RESPONSES): ResponseObject => ({
  $ref: `#/components/responses/${name}`,
})

const toPath = (url: string): string =>
  url.replace(/:(\w+)(\([^)]*\))?\??/g, '{$1}').replace(/\/+$/, '') || '/'

function toPathParameters(path: string, params: JsonSchema | undefined, refer: Refer): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = params?.properties?.[name] ?? { type: 'string' }
    return toParameter({ name, in: 'path', required: true, schema }, refer)
  })
}

function toQueryParameters(query: JsonSchema | undefined, refer: Refer): Parameter[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    const required = query?.required?.includes(name) || undefined
    return toParameter({ name, in: 'query', required, schema }, refer)
  })
}

function toParameter({ schema, ...parameter }: Parameter, refer: Refer): Parameter {
  const { description } = toDocumented(schema)
  const { description: _, ...reference } = refer(schema)
  return { ...parameter, description, schema: reference }
}

function toResponses(
  responses: Record<string, JsonSchema>,
  refer: Refer,
): Record<string, ResponseObject> {
  const entries = Object.entries(responses).map(([status, schema]) => {
    const description = schema.description ?? STATUS_CODES[status] ?? 'The response.'
    if (schema.type === 'null') return [status, { description }]
    return [status.replace('xx', 'XX'), { description, content: toContent(schema, refer) }]
  })
  return Object.fromEntries(entries)
}

/** A plain schema means JSON. `{ content: { 'image/png': { schema } } }` declares other types. */
function toContent(schema: JsonSchema, refer: Refer): Content {
  const content = (schema.content ?? { 'application/json': { schema } }) as Content
  return mapValues(content, (media) => ({ ...media, schema: refer(media.schema) }))
}
