import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { ERRORS, type ErrorCode } from '#server/errors.ts'

interface Response {
  readonly status: number
  readonly body: unknown
  readonly text: string
}

/** Validates every response of every test against the OpenAPI document. */
export function requireValidResponse(
  app: FastifyInstance,
  method: string,
  path: string,
  { status, body, text }: Response,
): void {
  if (!path.startsWith('/api/')) return
  if (status >= 500) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  if (status >= 400) requireError(method, path, status, body, text)
  if (status >= 400 || body === undefined) return
  const check = findCheck(app, method, path, status)
  if (check && !check(body)) {
    const problem = check.errors?.[0]
    throw new Error(
      `${method} ${path} answered ${status} with ${problem?.instancePath} that ${problem?.message}: ${text.slice(0, 500)}`,
    )
  }
}

function requireError(
  method: string,
  path: string,
  status: number,
  body: unknown,
  text: string,
): void {
  if (status === 405 && method === 'DELETE' && text === '') return
  if (method === 'HEAD') return
  const { type, code, detail, attr, ...rest } = body as Record<string, unknown>
  const known = ERRORS[code as ErrorCode]
  const right =
    known?.[0] === status &&
    known[1] === type &&
    typeof detail === 'string' &&
    (attr === null || typeof attr === 'string') &&
    Object.keys(rest).length === 0
  if (!right) throw new Error(`${method} ${path} answered ${status} with a wrong error: ${text}`)
}

type Check = ReturnType<Ajv2020['compile']>

/** Compiled once: every app has the same routes. */
let description: ReturnType<typeof describe> | undefined

function describe(document: ReturnType<FastifyInstance['openApiDocument']>) {
  // optimizing the code of a check takes longer than all its uses
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, parts: partsOf(template) }))
    // prefers `/x/rearrange` to `/x/{id}`
    .sort((a, b) => blanksIn(a.template) - blanksIn(b.template))
  return { document, ajv, templates, checks: new Map<string, Check>() }
}

function findCheck(
  app: FastifyInstance,
  method: string,
  path: string,
  status: number,
): Check | undefined {
  description ??= describe(app.openApiDocument())
  const { document, ajv, templates, checks } = description
  const asked = partsOf((path.split('?', 1)[0] ?? '').replace(/\/$/, ''))
  const template = templates.find(({ parts }) => matches(parts, asked))?.template
  if (!template) return undefined
  const key = `${method} ${template} ${status}`
  const known = checks.get(key)
  if (known) return known
  const operation = document.paths[template]?.[method.toLowerCase()]
  if (!operation?.responses[status]?.content) {
    throw new Error(`${key} has a body that openapi.json does not describe`)
  }
  const pointer = `${escapePointer(template)}/${method.toLowerCase()}/responses/${status}`
  const check = ajv.compile({
    $ref: `document#/paths/${pointer}/content/application~1json/schema`,
  })
  checks.set(key, check)
  return check
}

const partsOf = (path: string): string[] => path.replace('/environments/', '/projects/').split('/')

const blanksIn = (template: string): number => template.split('{').length

const matches = (template: readonly string[], given: readonly string[]): boolean =>
  template.length === given.length &&
  template.every((part, index) => part.startsWith('{') || part === given[index])

const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
