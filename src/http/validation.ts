import type { ErrorObject, ValidateFunction } from 'ajv'
import type { FastifySchema, FastifySchemaCompiler, FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { type ApiError, invalid, mayNotBeNull, required } from '../errors.ts'
import { createCompiler } from './compile-schema.ts'
import { requireStorable } from './json-body.ts'

/**
 * Sets the one body policy: strict types, no defaults, unknown fields ignored. Only values from the URL are converted,
 * since those are all text. Reports the first problem, in the wording that clients know.
 */
const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    // compiled at first use: compiling all schemas would take a third of the start-up and 25 MB
    validate ??= (httpPart === 'body' ? forBody : forUrl).compile(schema)
    const problem = httpPart === 'querystring' ? findTextProblem(schema, value) : undefined
    if (problem) return { error: problem }
    if (validate(value)) return { value }
    return { error: toApiError((validate.errors as ErrorObject[])[0] as ErrorObject) }
  }
}

/** Replaces the compilers of Fastify, which otherwise loads them even if each app sets others. */
export const SCHEMA_CONTROLLER: FastifyServerOptions['schemaController'] = {
  compilersFactory: {
    buildValidator: (() => compileValidator) as never, // the types know only Ajv's
    buildSerializer: () => () => (data) => JSON.stringify(data), // docs/decisions/0004
  },
}

/** Shared by all apps of the process, so that tests compile no schema twice. */
const forBody = createCompiler({ coerceTypes: false })
const forUrl = createCompiler({ coerceTypes: true })

/** Prepares the check of a schema, so that its first use takes no time. */
export const prepareSchemaCheck = (schema: TSchema): Promise<void> => forBody.compileInTurns(schema)

const checks = new WeakMap<TSchema, (value: unknown, attr: string) => void>()

/** Checks a part of a body whose schema depends on the part itself. Errors name `attr` and the key within. */
export function getSchemaCheck(schema: TSchema): (value: unknown, attr: string) => void {
  const existing = checks.get(schema)
  if (existing) return existing
  const validate = forBody.compile(schema)
  const check = (value: unknown, attr: string) => {
    if (validate(value)) return
    const { code, message, attr: key } = toApiError(findDeepest(validate.errors as ErrorObject[]))
    throw invalid(key ? `${attr}__${key}` : attr, message, code)
  }
  checks.set(schema, check)
  return check
}

/** Finds the deepest error, which in a union belongs to the alternative that the client meant. */
const findDeepest = (errors: readonly ErrorObject[]): ErrorObject =>
  errors.reduce((deepest, each) => (depthOf(each) > depthOf(deepest) ? each : deepest))

const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length

/** Finds text that cannot be stored, and text that Ajv would accept as an integer: " 5", "0x10", "1e3", "Infinity". */
function findTextProblem(schema: FastifySchema, query: unknown): ApiError | undefined {
  try {
    requireStorable(query)
  } catch (error) {
    return error as ApiError // if it were thrown, Fastify would respond with 500
  }
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    const isInvalid = properties[name]?.type === 'integer' && !/^-?\d+$/.test(String(value))
    if (isInvalid) return invalid(name, 'A valid integer is required.')
  }
  return undefined
}

function toApiError(error: ErrorObject): ApiError {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  if (error.keyword === 'required') {
    const attr = [...path, error.params.missingProperty].join('__')
    return required(attr)
  }
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty).slice(0, 200)
    return invalid([...path, name].join('__'), 'This field is not known.')
  }
  const attr = path.join('__') || null
  if (error.data === null && attr) return mayNotBeNull(attr)
  if (error.parentSchema?.enum || error.keyword === 'const') {
    return invalid(attr, `${quote(error.data)} is not a valid choice.`, 'invalid_choice')
  }
  return invalid(attr, ...describe(error, attr))
}

type Description = Parameters<typeof invalid> extends [unknown, ...infer Rest] ? Rest : never

function describe(
  { keyword, params, data, message }: ErrorObject,
  attr: string | null,
): Description {
  if (keyword === 'type') return describeType(params.type, data, attr)
  if (keyword === 'maxLength') {
    return [`Ensure this field has no more than ${params.limit} characters.`, 'max_length']
  }
  if (keyword === 'minLength') return ['This field may not be blank.', 'blank']
  if (keyword === 'maximum') {
    return [`Ensure this value is less than or equal to ${params.limit}.`, 'max_value']
  }
  if (keyword === 'minimum') {
    return [`Ensure this value is greater than or equal to ${params.limit}.`, 'min_value']
  }
  if (keyword === 'minItems') return [`Ensure this list has at least ${params.limit} items.`]
  if (keyword === 'maxItems') return [`Ensure this list has no more than ${params.limit} items.`]
  if (keyword === 'format' && params.format === 'uuid') return ['Must be a valid UUID.']
  return [`Not valid: ${message}.`]
}

function describeType(type: string, data: unknown, attr: string | null): Description {
  if (type === 'string') return ['Not a valid string.']
  if (type === 'boolean') return ['Must be a valid boolean.']
  if (type === 'integer') return ['A valid integer is required.']
  if (type === 'number') return ['A valid number is required.']
  const got = typeName(data)
  if (type === 'array') return [`Expected a list of items but got type "${got}".`, 'not_a_list']
  if (attr) return [`Expected a dictionary of items but got type "${got}".`, 'not_a_dict']
  return [`Invalid data. Expected a dictionary, but got ${got}.`]
}

/** Returns Python's type names, which clients of the API know. */
function typeName(data: unknown): string {
  if (data === null) return 'NoneType'
  if (Array.isArray(data)) return 'list'
  if (typeof data === 'string') return 'str'
  if (typeof data === 'boolean') return 'bool'
  if (typeof data === 'number') return Number.isInteger(data) ? 'int' : 'float'
  return 'dict'
}

const quote = (data: unknown): string =>
  typeof data === 'string' ? `"${data.slice(0, 200)}"` : `"${JSON.stringify(data).slice(0, 200)}"`

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
