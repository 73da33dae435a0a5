import Fastify from 'fastify'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installErrorHandler } from './error-handler.ts'
import { installJsonBody } from './json-body.ts'
import { SCHEMA_CONTROLLER } from './validation.ts'

const Body = Type.Object({
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
  integer: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  number: Type.Optional(Type.Number()),
  boolean: Type.Optional(Type.Boolean()),
  list: Type.Optional(Type.Array(Type.String())),
  object: Type.Optional(Type.Object({ inner: Type.Integer() })),
  level: Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: [21, 37] })),
  literal: Type.Optional(Type.Literal('scene')),
  uuid: Type.Optional(Type.String({ format: 'uuid' })),
  time: Type.Optional(Type.String({ format: 'date-time' })),
  nullable: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  'a/b~c': Type.Optional(Type.Boolean()),
})

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  deleted: Type.Optional(Type.Boolean()),
  search: Type.Optional(Type.String({ maxLength: 5 })),
})

async function send(schema: { body?: TSchema; querystring?: TSchema }, url: string, sent?: string) {
  const app = Fastify({ schemaController: SCHEMA_CONTROLLER })
  onTestFinished(() => app.close())
  installErrorHandler(app)
  installJsonBody(app)
  app.post('/', { schema }, async ({ body, query }) => ({ body, query }))
  const headers = { 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url, headers, payload: sent ?? '' })
  return { status: response.statusCode, ...response.json() }
}

const refused = [
  ['text', 7, 'invalid_input', 'Not a valid string.', 'text'],
  ['text', null, 'null', 'This field may not be null.', 'text'],
  ['text', '', 'blank', 'This field may not be blank.', 'text'],
  ['text', 'abcd', 'max_length', 'Ensure this field has no more than 3 characters.', 'text'],
  ['integer', '1', 'invalid_input', 'A valid integer is required.', 'integer'],
  ['integer', 1.5, 'invalid_input', 'A valid integer is required.', 'integer'],
  ['integer', true, 'invalid_input', 'A valid integer is required.', 'integer'],
  ['integer', 0, 'min_value', 'Ensure this value is greater than or equal to 1.', 'integer'],
  ['integer', 6, 'max_value', 'Ensure this value is less than or equal to 5.', 'integer'],
  ['number', '1', 'invalid_input', 'A valid number is required.', 'number'],
  ['boolean', 'true', 'invalid_input', 'Must be a valid boolean.', 'boolean'],
  ['boolean', 1, 'invalid_input', 'Must be a valid boolean.', 'boolean'],
  ['list', 'x', 'not_a_list', 'Expected a list of items but got type "str".', 'list'],
  ['list', {}, 'not_a_list', 'Expected a list of items but got type "dict".', 'list'],
  ['list', 7, 'not_a_list', 'Expected a list of items but got type "int".', 'list'],
  ['list', 1.5, 'not_a_list', 'Expected a list of items but got type "float".', 'list'],
  ['list', false, 'not_a_list', 'Expected a list of items but got type "bool".', 'list'],
  ['list', ['a', 7], 'invalid_input', 'Not a valid string.', 'list__1'],
  ['list', ['a', null], 'null', 'This field may not be null.', 'list__1'],
  ['object', [], 'not_a_dict', 'Expected a dictionary of items but got type "list".', 'object'],
  ['object', {}, 'required', 'This field is required.', 'object__inner'],
  ['object', { inner: 'x' }, 'invalid_input', 'A valid integer is required.', 'object__inner'],
  ['level', 99, 'invalid_choice', '"99" is not a valid choice.', 'level'],
  ['level', '21', 'invalid_choice', '"21" is not a valid choice.', 'level'],
  ['literal', 'x', 'invalid_choice', '"x" is not a valid choice.', 'literal'],
  ['uuid', 'x', 'invalid_input', 'Must be a valid UUID.', 'uuid'],
  ['time', 'x', 'invalid_input', 'Not valid: must match format "date-time".', 'time'],
  ['nullable', 'x', 'invalid_input', 'A valid integer is required.', 'nullable'],
  ['a/b~c', 'x', 'invalid_input', 'Must be a valid boolean.', 'a/b~c'],
] as const

describe('validation of bodies', () => {
  it.each(refused)('rejects %s = %j', async (name, value, code, detail, attr) => {
    const response = await send({ body: Body }, '/', JSON.stringify({ [name]: value }))

    expect(response).toEqual({ status: 400, type: 'validation_error', code, detail, attr })
  })

  it('quotes only the start of a long value', async () => {
    const response = await send({ body: Body }, '/', `{"literal": "${'x'.repeat(1000)}"}`)

    expect(response.detail).toBe(`"${'x'.repeat(200)}" is not a valid choice.`)
  })

  it.each([
    ['[]', 'list'],
    ['"x"', 'str'],
    ['7', 'int'],
    ['true', 'bool'],
    ['null', 'NoneType'],
  ])('rejects %s as the body', async (sent, type) => {
    const response = await send({ body: Body }, '/', sent)

    const detail = `Invalid data. Expected a dictionary, but got ${type}.`
    expect(response).toMatchObject({ status: 400, code: 'invalid_input', detail, attr: null })
  })

  it('passes valid bodies unchanged, without conversion or defaults and with unknown fields', async () => {
    const sent = { text: 'abc', nullable: null, unknown: { a: [1] } }

    const { status, body } = await send({ body: Body }, '/', JSON.stringify(sent))

    expect(status).toBe(200)
    expect(body).toEqual(sent)
  })
})

describe('validation of queries', () => {
  it.each([
    ['limit=', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=1e3', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=+5', 'limit'],
    ['limit=%205', 'limit'],
    ['limit=Infinity', 'limit'],
    ['limit=NaN', 'limit'],
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['deleted=', 'deleted'],
    ['deleted=1', 'deleted'],
    ['deleted=True', 'deleted'],
    ['search=abcdef', 'search'],
    ['search=a&search=b', 'search'],
    ['search=%00', 'search'],
    ['other=%00', 'other'],
  ])('rejects %s', async (query, attr) => {
    const response = await send({ querystring: Query }, `/?${query}`)

    expect(response).toMatchObject({ status: 400, type: 'validation_error', attr })
  })

  it('converts values in URLs', async () => {
    const { query } = await send(
      { querystring: Query },
      '/?limit=007&deleted=true&search=1&other=x',
    )

    expect(query).toEqual({ limit: 7, deleted: true, search: '1', other: 'x' })
  })
})
