import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { ERRORS, type ErrorCode } from '../src/errors.ts'

interface Answered {
  readonly status: number
  readonly body: unknown
  readonly text: string
}

/** Every answer of every test is held against the description that clients are given. */
export function requireValidAnswer(
  app: FastifyInstance,
  method: string,
  path: string,
  { status, body, text }: Answered,
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
const checks = new Map<string, Check>()
let document: ReturnType<FastifyInstance['openApiDocument']> | undefined

/** The same check serves every app: they are all built alike. */
function findCheck(
  app: FastifyInstance,
  method: string,
  path: string,
  status: number,
): Check | undefined {
  document ??= app.openApiDocument()
  // of `/x/{id}` and `/x/rearrange` the one with fewer blanks
  const template = Object.keys(document.paths)
    .filter((known) => matches(known, path))
    .sort((a, b) => a.split('{').length - b.split('{').length)[0]
  if (!template) return undefined
  const key = `${method} ${template} ${status}`
  const known = checks.get(key)
  if (known) return known
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })
  const operation = document.paths[template]?.[method.toLowerCase()]
  if (!operation?.responses[status]?.content) {
    throw new Error(`${key} answers with a body that openapi.json does not describe`)
  }
  const pointer = `${escapePointer(template)}/${method.toLowerCase()}/responses/${status}`
  const check = ajv.compile({
    $ref: `document#/paths/${pointer}/content/application~1json/schema`,
  })
  checks.set(key, check)
  return check
}

function matches(template: string, path: string): boolean {
  const wanted = template.replace('/environments/', '/projects/').split('/')
  const given = (path.split('?', 1)[0] ?? '')
    .replace(/\/$/, '')
    .replace('/environments/', '/projects/')
    .split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith('{') || part === given[index])
  )
}

const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
