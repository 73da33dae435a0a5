import { describe, expect, it } from 'vitest'
import { startApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { DASHBOARDS } from './paths.ts'
import { send } from './raw.ts'

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** Returns a body nested to the given number of levels. */
const nested = (levels: number) => `{"filters": {"a": ${lists(levels - 2)}}}`

type Bytes = string | Buffer
const NUL = String.raw`\u0000`
const HIGH = String.raw`\ud800`
const LOW = String.raw`\udc00`

const MALFORMED: readonly [what: string, body: Bytes][] = [
  ['half an object', '{"name": "x"'],
  ['a word', 'name'],
  ['single quotes', "{'name': 'x'}"],
  ['a trailing comma', '{"name": "x",}'],
  ['two values', '{} {}'],
  ['NaN', '{"name": NaN}'],
  ['a control character in a text', '{"name": "a\u0001"}'],
  ['a byte order mark', '\ufeff{}'],
  ['bytes that are not UTF-8', Buffer.from('{"name": "\xff"}', 'latin1')],
  ['half a UTF-8 character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
  ['65 levels of lists', lists(65)],
  ['65 levels within a field', nested(65)],
  ['a million levels', '['.repeat(1_000_000)],
]

const UNSTORABLE: readonly [what: string, body: string, code: string, attr: string | null][] = [
  ['NUL in a text', `{"name": "${NUL}"}`, 'null_characters_not_allowed', 'name'],
  [
    'NUL deep down',
    `{"filters": {"a": ["${NUL}"]}}`,
    'null_characters_not_allowed',
    'filters__a__0',
  ],
  ['NUL in a key', `{"filters": {"${NUL}": 1}}`, 'null_characters_not_allowed', 'filters'],
  ['NUL in a top key', `{"${NUL}": 1}`, 'null_characters_not_allowed', null],
  ['NUL in an unknown field', `{"other": "${NUL}"}`, 'null_characters_not_allowed', 'other'],
  ['a lone high surrogate', `{"name": "${HIGH}"}`, 'surrogate_characters_not_allowed', 'name'],
  ['a lone low surrogate', `{"tags": ["${LOW}"]}`, 'surrogate_characters_not_allowed', 'tags__0'],
  [
    'surrogates in wrong order',
    `{"name": "${LOW}${HIGH}"}`,
    'surrogate_characters_not_allowed',
    'name',
  ],
  [
    'a surrogate in a key',
    `{"filters": {"${HIGH}": 1}}`,
    'surrogate_characters_not_allowed',
    'filters',
  ],
]

const EMPTY: readonly [what: string, headers: Record<string, string>][] = [
  ['no type', {}],
  ['the right type', { 'content-type': 'application/json' }],
  ['another type', { 'content-type': 'text/plain' }],
  ['a type that is none', { 'content-type': '///' }],
  ['an empty type', { 'content-type': '' }],
  ['a length of 0', { 'content-length': '0' }],
  ['another type and a length of 0', { 'content-type': 'text/plain', 'content-length': '0' }],
  ['another type, in chunks', { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }],
]

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'Application/JSON']
const OTHER_TYPES = [
  ...['', 'application/jsonx', 'application/merge-patch+json', 'text/plain'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json', '///'],
]

async function start() {
  const api = await startApp()
  const post = async (body: Bytes | undefined, headers: Record<string, string>) => {
    const authorization = `Bearer ${OWNER.apiKey}`
    const all = { authorization, ...headers }
    const got = await send(api.url, { method: 'POST', path: DASHBOARDS, headers: all, body })
    return { status: got.status, body: JSON.parse(got.text) }
  }
  return {
    api,
    post,
    postJson: (body: Bytes) => post(body, { 'content-type': 'application/json' }),
  }
}

describe('a body', () => {
  it('that is not JSON is refused and changes nothing', async () => {
    const { api, postJson } = await start()

    for (const [what, sent] of MALFORMED) {
      const { status, body } = await postJson(sent)
      expect(status, what).toBe(400)
      expect(body, what).toEqual({
        type: 'invalid_request',
        code: 'parse_error',
        detail: expect.stringMatching(/^JSON parse error - ./),
        attr: null,
      })
    }

    expect((await api.get(DASHBOARDS)).body.count).toBe(0)
  })

  it('that cannot be stored is refused and changes nothing', async () => {
    const { api, postJson } = await start()

    for (const [what, sent, code, attr] of UNSTORABLE) {
      const { status, body } = await postJson(sent)
      expect(status, what).toBe(400)
      expect(body, what).toMatchObject({ type: 'validation_error', code, attr })
    }

    expect((await api.get(DASHBOARDS)).body.count).toBe(0)
  })

  it('nested to 64 levels is accepted', async () => {
    const { api, postJson } = await start()

    const { status, body } = await postJson(nested(64))

    expect(status).toBe(201)
    const { filters } = (await api.get(`${DASHBOARDS}/${body.id}`)).body
    expect(filters).toEqual(JSON.parse(nested(64)).filters)
  })

  it('with any Unicode characters is stored unchanged', async () => {
    const { api, postJson } = await start()
    const name = '\u0001\u007f\u2028\ufeff\uffff😀é"\\/\n'

    const { body } = await postJson(JSON.stringify({ name }))

    expect((await api.get(`${DASHBOARDS}/${body.id}`)).body.name).toBe(name)
  })

  it('that is empty counts as {}, whatever its content type', async () => {
    const { post } = await start()

    for (const [what, headers] of EMPTY) {
      const { status, body } = await post(undefined, headers)
      expect(status, what).toBe(201)
      expect(body.name, what).toBe('')
    }
  })

  it('is parsed as JSON if its content type says so', async () => {
    const { post } = await start()

    for (const type of JSON_TYPES) {
      const { status, body } = await post('{"name": "x"}', { 'content-type': type })
      expect(status, type).toBe(201)
      expect(body.name, type).toBe('x')
    }
  })

  it('is refused with any other content type, or none', async () => {
    const { post } = await start()

    for (const type of OTHER_TYPES) {
      const { status, body } = await post('{"name": "x"}', type ? { 'content-type': type } : {})
      expect(status, type).toBe(415)
      expect(body.detail).toBe(`Unsupported media type "${type}" in request.`)
    }
  })

  it('does not change the prototype', async () => {
    const { postJson } = await start()

    const { status, body } = await postJson(
      '{"__proto__": {"name": "x"}, "constructor": {"prototype": {"name": "x"}}, "filters": {"__proto__": 1}}',
    )

    expect(status).toBe(201)
    expect(body.name).toBe('')
    expect(Object.hasOwn(body.filters, '__proto__')).toBe(true)
  })
})
