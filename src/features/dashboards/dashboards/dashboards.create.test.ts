import { describe, expect, it } from 'vitest'
import { DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'

const EMPTY = {
  name: '',
  description: '',
  pinned: false,
  is_shared: false,
  deleted: false,
  creation_mode: 'default',
  use_template: '',
  use_dashboard: null,
  delete_insights: false,
  filters: {},
  variables: {},
  tags: [],
  tiles: [],
  restriction_level: 21,
  effective_restriction_level: 21,
  effective_privilege_level: 37,
}

/** Code and detail. */
type Problem = [code: string, detail: string]

const NOT_STRING: Problem = ['invalid_input', 'Not a valid string.']
const NOT_BOOLEAN: Problem = ['invalid_input', 'Must be a valid boolean.']
const NOT_INTEGER: Problem = ['invalid_input', 'A valid integer is required.']
const NULL: Problem = ['null', 'This field may not be null.']
const NUL: Problem = ['null_characters_not_allowed', 'Null characters are not allowed.']
const HALF: Problem = ['surrogate_characters_not_allowed', 'Surrogate characters are not allowed.']
const notDict = (got: string): Problem => [
  'not_a_dict',
  `Expected a dictionary of items but got type "${got}".`,
]
const notObject = (got: string): Problem => [
  'invalid_input',
  `Invalid data. Expected a dictionary, but got ${got}.`,
]
const notList = (got: string): Problem => [
  'not_a_list',
  `Expected a list of items but got type "${got}".`,
]
const tooLong = (limit: number): Problem => [
  'max_length',
  `Ensure this field has no more than ${limit} characters.`,
]
const notChoice = (value: string): Problem => [
  'invalid_choice',
  `"${value}" is not a valid choice.`,
]

describe('creating a dashboard', () => {
  it.each([
    ['an empty object', {}],
    ['an empty body', ''],
    ['no body', undefined],
    ['empty values', { use_template: '', use_dashboard: null, name: '' }],
    ['zero as the dashboard to copy', { use_dashboard: 0 }],
  ])('creates an empty one from %s', async (_, sent) => {
    const api = await useApp()

    const { status, body } = await api.post(DASHBOARDS, sent)

    const { id, created_at, created_by, ...rest } = body
    expect(status).toBe(201)
    expect(rest).toEqual(EMPTY)
    expect([id, created_by.email]).toEqual([expect.any(Number), 'owner@example.com'])
    expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000)
  })

  it('returns the same as a GET, in the order of the schema', async () => {
    const api = await useApp()

    const { body } = await api.post(DASHBOARDS, { name: 'First' })

    expect((await api.get(pathOf(body.id))).body).toEqual(body)
    expect(Object.keys(body)).toEqual([
      ...['id', 'name', 'description', 'pinned', 'created_at', 'created_by', 'is_shared'],
      ...['deleted', 'creation_mode', 'use_template', 'use_dashboard', 'delete_insights'],
      ...['filters', 'variables', 'tags', 'tiles', 'restriction_level'],
      ...['effective_restriction_level', 'effective_privilege_level'],
    ])
  })

  it('saves every writable field', async () => {
    const api = await useApp()
    const sent = {
      name: 'Größe 📈',
      description: 'Two\nlines',
      pinned: true,
      tags: ['a', 'b'],
      filters: { date_from: '-7d', properties: [] },
      variables: { v: { value: 1 } },
      restriction_level: 37,
    }

    const { body } = await api.post(DASHBOARDS, sent)

    expect(body).toMatchObject({ ...sent, effective_restriction_level: 37 })
    expect((await api.get(pathOf(body.id))).body).toEqual(body)
  })

  it('ignores unknown and read-only fields', async () => {
    const api = await useApp()
    const sent = {
      id: 99,
      created_at: 'x',
      created_by: 7,
      is_shared: true,
      creation_mode: 'template',
      effective_restriction_level: 37,
      effective_privilege_level: 21,
      delete_insights: true,
      project_id: 2,
      version: 9,
      unknown: { deep: true },
    }
    const text = JSON.stringify(sent).replace('{', '{"__proto__":{"name":"x"},')

    const { status, body } = await api.post(DASHBOARDS, text)

    expect(status).toBe(201)
    expect(body).toMatchObject({ ...EMPTY, created_by: { email: 'owner@example.com' } })
    expect(body.id).not.toBe(sent.id)
  })

  it('can create it in the trash', async () => {
    const api = await useApp()

    const { deleted, id } = await createDashboard(api, { name: 'Old', deleted: true })

    expect(deleted).toBe(true)
    expect((await api.get(DASHBOARDS)).body).toMatchObject({ count: 0, results: [] })
    expect((await api.get(`${DASHBOARDS}?deleted=true`)).body).toMatchObject({
      count: 1,
      results: [{ id }],
    })
  })

  it('accepts equal names and names of the maximum length, in characters', async () => {
    const api = await useApp()
    const name = '📈'.repeat(400)

    const made = [await createDashboard(api, { name }), await createDashboard(api, { name })]

    expect(made.map((dashboard) => dashboard.name)).toEqual([name, name])
  })

  it.each([
    [
      [' a ', 'b\t', 'a', '', '  ', 'A', 'c d'],
      ['a', 'b', 'A', 'c d'],
    ],
    [
      ['z', 'y', 'z'],
      ['z', 'y'],
    ],
    [['x'.repeat(255)], ['x'.repeat(255)]],
    [[], []],
  ])('trims, dedupes and orders the tags %j', async (tags, kept) => {
    const api = await useApp()

    const { body } = await api.post(DASHBOARDS, { tags })

    expect(body.tags).toEqual(kept)
  })

  it('works under /api/projects and /api/environments', async () => {
    const api = await useApp()

    const { status, body } = await api.post('/api/projects/@current/dashboards/', { name: 'a' })

    expect(status).toBe(201)
    expect((await api.get(pathOf(body.id, '/'))).body).toEqual(body)
  })

  it.each([
    ['name', 7, NOT_STRING],
    ['name', ['a'], NOT_STRING],
    ['name', 'x'.repeat(401), tooLong(400)],
    ['name', 'a\0b', NUL],
    ['name', '\ud83d', HALF],
    ['description', {}, NOT_STRING],
    ['description', null, NULL],
    ['pinned', 'true', NOT_BOOLEAN],
    ['pinned', 1, NOT_BOOLEAN],
    ['pinned', null, NULL],
    ['deleted', 'false', NOT_BOOLEAN],
    ['deleted', null, NULL],
    ['delete_insights', 'no', NOT_BOOLEAN],
    ['duplicate_tiles', 0, NOT_BOOLEAN],
    ['use_template', 7, NOT_STRING],
    ['use_template', null, NULL],
    ['use_dashboard', '1', NOT_INTEGER],
    ['use_dashboard', '', NOT_INTEGER],
    ['use_dashboard', 1.5, NOT_INTEGER],
    ['use_dashboard', true, NOT_INTEGER],
    ['tags', 'a,b', notList('str')],
    ['tags', {}, notList('dict')],
    ['tags', null, NULL],
    ['restriction_level', 0, notChoice('0')],
    ['restriction_level', 22, notChoice('22')],
    ['restriction_level', '37', notChoice('37')],
    ['restriction_level', null, NULL],
    ['filters', [], notDict('list')],
    ['filters', 'x', notDict('str')],
    ['filters', null, NULL],
    ['variables', 3, notDict('int')],
    ['tiles', {}, notList('dict')],
  ])('rejects %s as %j, and creates nothing', async (attr, value, [code, detail]) => {
    const api = await useApp()

    const { status, body } = await api.post(DASHBOARDS, { name: 'x', [attr]: value })

    expect(status).toBe(400)
    expect(body).toEqual({ type: 'validation_error', code, detail, attr })
    for (const list of [DASHBOARDS, `${DASHBOARDS}?deleted=true`]) {
      expect((await api.get(list)).body.count).toBe(0)
    }
  })

  it.each([
    ['tags__1', { tags: ['a', 5] }, NOT_STRING],
    ['tags__0', { tags: [null] }, NULL],
    ['tags__2', { tags: ['a', 'b', 'x'.repeat(256)] }, tooLong(255)],
    ['filters__a__0', { filters: { a: ['\0'] } }, NUL],
    [null, [], notObject('list')],
    [null, '"text"', notObject('str')],
  ])('names %s as the field at fault', async (attr, sent, [code, detail]) => {
    const api = await useApp()

    const { status, body } = await api.post(DASHBOARDS, sent)

    expect(status).toBe(400)
    expect(body).toMatchObject({ code, detail, attr })
    expect((await api.get(DASHBOARDS)).body.count).toBe(0)
  })

  it('rejects a body that is not JSON', async () => {
    const api = await useApp()

    const { status, body } = await api.post(DASHBOARDS, '{"name": ')

    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'invalid_request', code: 'parse_error', attr: null })
    expect((await api.get(DASHBOARDS)).body.count).toBe(0)
  })
})
