import fc from 'fast-check'
import type { OpenApiDocument, Operation } from '#server/http/openapi-document.ts'
import type { JsonSchema } from '#server/http/openapi-schema.ts'

export interface Target {
  readonly method: string
  /** `/a/{id}` */
  readonly path: string
  readonly operation: Operation
}

/** Sorts deletes last, because the other requests need the records. */
export function targetsOf({ paths }: OpenApiDocument): Target[] {
  const isDelete = ({ method }: Target) => Number(method === 'DELETE')
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .toSorted((a, b) => isDelete(a) - isDelete(b))
}

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'id',
  '',
  '\0',
  '\ud800',
  '1',
]
const TEXTS = ['', ' ', '\n', '\u2028', '😀', '%', "'", '"; drop table users;--']
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 2 ** 64, 1e300, -1e300, 1e-300, 5e-324]

const text = fc.oneof(
  fc.constantFrom('\0', 'a\0b', '\ud800'),
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('x'.repeat(300), 'x'.repeat(500), 'x'.repeat(5000)),
)

const number = fc.constantFrom(...NUMBERS)

const deep = fc.integer({ min: 60, max: 70 }).map((levels) => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value }
  return value
})

const withKey = fc
  .tuple(fc.constantFrom(...KEYS), fc.jsonValue())
  .map(([key, value]) => Object.fromEntries([[key, value]]))

/** Generates any JSON, with a bias to unusual values. */
export const anything = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue() },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}]) },
  { weight: 2, arbitrary: number },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: withKey },
  { weight: 1, arbitrary: deep },
)

/** Generates valid values, so that some requests get past validation. */
export interface Known {
  readonly ids: readonly number[]
  readonly words: readonly string[]
}

type Schemas = OpenApiDocument['components']['schemas']

/** Generates a body with the operation's fields, often one of them with an arbitrary value. */
export function nearlyValidBody({ operation }: Target, schemas: Schemas, known: Known) {
  const schema = operation.requestBody?.content['application/json']?.schema ?? {}
  return like(schema, schemas, known).chain((body) => {
    const names = Object.keys(Object(body))
    const spoil = fc.tuple(fc.constantFrom(...names, ...KEYS), anything)
    return fc.option(spoil, { freq: 2 }).map((spoilt) => spread(body, spoilt))
  })
}

/** Defines the property, because an assignment could set the prototype. */
const spread = (body: unknown, spoilt: readonly [string, unknown] | null) =>
  spoilt ? Object.fromEntries([...Object.entries(Object(body)), spoilt]) : body

const rarely = (usual: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd })

function like(schema: JsonSchema, schemas: Schemas, known: Known): fc.Arbitrary<unknown> {
  if (schema.$ref) return like(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, known)
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => like(choice, schemas, known)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if (schema.type === 'integer') return rarely(fc.constantFrom(...known.ids), number)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'string') return rarely(fc.constantFrom(...known.words), text)
  if (schema.type === 'array') {
    return fc.array(like(schema.items as JsonSchema, schemas, known), { maxLength: 3 })
  }
  if (!schema.properties)
    return fc.oneof(fc.dictionary(fc.constantFrom(...known.words), anything), anything)
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => [name, like(field, schemas, known)] as const,
  )
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
}

/** Generates the sent text, sometimes invalid JSON. */
export const bodyText = (body: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary: body.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: anything.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '[', 'nul', '{"a":1e999}', '-', '"', '\ufeff'),
    },
    { weight: 1, arbitrary: fc.string() },
  )

/** Generates a path segment, URL-encoded. */
export const segment = (real: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...real) },
    { weight: 3, arbitrary: fc.constantFrom(...ODD_SEGMENTS) },
    { weight: 2, arbitrary: fc.bigInt().map(String) },
    { weight: 1, arbitrary: fc.double().map(String) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme' }).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.stringMatching(/^[!-"$-.0->@-~]{1,20}$/) },
  )

const ODD_SEGMENTS = [
  ...['0', '-1', '1.5', '01', '1e0', '0x1', '+1', '%31', '@current', '@me', 'null', 'rearrange'],
  ...[
    '%00',
    '%2F',
    '1%2F',
    '%2e%2e',
    '..',
    '.',
    '%',
    '%zz',
    '%ED%A0%80',
    '%F0%9F%98%80',
    '*',
    ':id',
  ],
  ...['9007199254740991', '9007199254740992', '9223372036854775808', '9'.repeat(300), '__proto__'],
]

const ODD_PARAMETERS = ['__proto__', 'constructor', 'limit[]', 'format', 'x', '']
const ODD_VALUES = [
  ...[
    '',
    '0',
    '1',
    '2',
    '-1',
    '1.5',
    '1e3',
    '1e300',
    'Infinity',
    'NaN',
    '0x10',
    '+5',
    '%205',
    'null',
  ],
  ...['true', 'false', 'True', '%', '%zz', '%F0%9F%98%80', '99999999999999999999', 'a,b'],
  ...['9007199254740991', '9223372036854775807', '[]', '{}', '%25', '_', '\\', "'", 'default'],
]

/** Generates a query, mostly of the operation's own parameters, some repeated. */
export function queryOf({ operation }: Target) {
  const named = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? []
  const name = fc.oneof(
    {
      weight: named.length > 0 ? 4 : 0,
      arbitrary: fc.constantFrom(...named.map(({ name }) => name), 'x'),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_PARAMETERS) },
  )
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ODD_VALUES) },
    { weight: 2, arbitrary: fc.constantFrom('%00', 'a%00b') },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme' }).map(encodeURIComponent) },
  )
  const sign = fc.constantFrom('=', '=', '=', '', '==')
  return fc
    .array(fc.tuple(name, sign, value), { maxLength: 3 })
    .map((pairs) => pairs.map((pair) => pair.join('')).join('&'))
}

const headerText = fc.oneof(
  fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/),
  fc.constantFrom(
    '',
    '*',
    '*/*',
    ',',
    ';',
    '"',
    'W/',
    'W/"x"',
    'application/json',
    'text/html;q=x',
  ),
  fc.constantFrom('"p1-1.1", *', 'no-cache', 'é', 'x'.repeat(3000), 'chunked', '1', 'keep-alive'),
)

export const headers = fc.dictionary(
  fc.constantFrom(
    ...['accept', 'if-none-match', 'host', 'x-request-id', 'cache-control', 'origin', 'cookie'],
    ...['access-control-request-method', 'x-forwarded-host', 'x-forwarded-for', 'expect', 'range'],
    ...['content-type', 'accept-encoding', 'x-http-method-override', 'if-match', 'forwarded'],
  ),
  headerText,
  { maxKeys: 4 },
)
