import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Draft, EMPTY } from './draft.ts'
import { toFiles, toRequestKey, toSettings } from './files.ts'
import { findMissing } from './missing.ts'
import { toConnector } from './to-connector.ts'
import { toYaml } from './yaml.ts'

const DRAFT: Draft = {
  url: 'https://api.example.com/v1/orders?page=1&status=paid&token=x&from=2020-01-01',
  key: { kind: 'query', name: 'token', value: 's3cret' },
  list: 'data.items',
  roles: { id: 'id', person: 'buyer.mail', time: 'at' },
  paginate: { page: { parameter: 'page', first: 1 } },
  since: { parameter: 'from', format: 'date' },
  parents: [],
  steps: [],
  filter: [],
  parts: [],
  hosts: '',
  event: ' order paid ',
  name: 'Shop: "corner"',
}

describe('the draft of a connector', () => {
  it('becomes a connector without the key and without what changes from page to page', () => {
    expect(parse(toYaml(toConnector(DRAFT)))).toEqual({
      base_url: 'https://api.example.com',
      auth: { query: { name: 'token', setting: 'key' } },
      streams: [
        {
          name: 'orders',
          path: '/v1/orders',
          query: { status: 'paid' },
          records: 'data.items',
          paginate: { page: { parameter: 'page', first: 1 } },
          incremental: { field: 'at', parameter: 'from', format: 'date' },
          primary_key: 'id',
          to: { event: 'order paid', person: 'buyer.mail', time: 'at' },
        },
      ],
    })
  })

  it('reads several values of the address, some records, and pages of other hosts', () => {
    const [stream, ...others] = parse(
      toYaml(
        toConnector({
          ...DRAFT,
          parts: [
            { id: 'path 1', values: 'v1, v2' },
            { id: 'parameter status', values: 'paid,open' },
            { id: 'parameter gone', values: 'x' },
          ],
          filter: [
            { path: 'total', comparison: 'more_than', value: '10' },
            { path: 'note', comparison: 'not_empty', value: 'not used' },
          ],
        }),
      ),
    ).streams

    expect(others).toEqual([])
    expect(stream).toMatchObject({
      path: '/{{partition.path_1}}/orders',
      query: { status: '{{partition.parameter_status}}' },
      partitions: [
        { name: 'path_1', values: ['v1', 'v2'] },
        { name: 'parameter_status', values: ['paid', 'open'] },
      ],
      filter: [
        { path: 'total', more_than: '10' },
        { path: 'note', empty: false },
      ],
    })
    expect(toConnector({ ...DRAFT, hosts: 'a.example.com, b.example.com:8080' })).toMatchObject({
      hosts: ['a.example.com', 'b.example.com:8080'],
    })
  })

  it.each([
    ['a parameter', { since: { parameter: '', format: 'iso' } as const }],
    ['the time of a record', { roles: { person: 'buyer.mail' } }],
  ])('reads all records each time without %s', (_, fields) => {
    expect(toYaml(toConnector({ ...DRAFT, ...fields }))).not.toContain('incremental')
  })

  it('leaves out what is not chosen', () => {
    const url = 'https://api.example.com/'
    const draft = { ...EMPTY, url, list: '', roles: { person: 'user' }, event: 'e' }

    expect(parse(toYaml(toConnector(draft)))).toEqual({
      base_url: 'https://api.example.com',
      streams: [{ name: 'records', path: '/', to: { event: 'e', person: 'user' } }],
    })
  })

  it.each([
    ['none', {}, [], undefined, {}],
    ['bearer', { bearer: 'key' }, ['key'], { bearer: 's3cret' }, { key: 's3cret' }],
    [
      'basic',
      { basic: { user: 'user', password: 'key' } },
      ['user', 'key'],
      { basic: { user: 'token', password: 's3cret' } },
      { user: 'token', key: 's3cret' },
    ],
    [
      'header',
      { header: { name: 'token', setting: 'key' } },
      ['key'],
      { header: { name: 'token', value: 's3cret' } },
      { key: 's3cret' },
    ],
  ] as const)('has settings for a key of the kind %s', (kind, auth, settings, sent, values) => {
    const draft = { ...DRAFT, key: { ...DRAFT.key, kind } }
    const files = toFiles(draft)

    const manifest = JSON.parse(files['plugin.json'] ?? '')
    expect(manifest.name).toBe('Shop: "corner"')
    expect(manifest.config.map(({ key }: { key: string }) => key)).toEqual(settings)
    expect(parse(files['connector.yaml'] ?? '').auth ?? {}).toEqual(auth)
    expect(toRequestKey(draft.key)).toEqual(sent)
    expect(toSettings(draft)).toEqual(values)
    expect(JSON.stringify(files)).not.toContain('s3cret')
  })

  it('says what is missing', () => {
    expect(findMissing(DRAFT)).toBeUndefined()
    expect(findMissing({ ...DRAFT, list: undefined })).toContain('list of records')
    expect(findMissing({ ...DRAFT, roles: {} })).toContain('person')
    expect(findMissing({ ...DRAFT, event: ' ' })).toContain('event')
    const condition = { path: '', comparison: 'is', value: '' } as const
    expect(findMissing({ ...DRAFT, filter: [condition] })).toContain('condition')
    expect(findMissing({ ...DRAFT, parts: [{ id: 'path 1', values: ' ,' }] })).toContain('values')
    const step = { kind: 'rename', field: 'total', to: '' } as const
    expect(findMissing({ ...DRAFT, steps: [step] })).toContain('step')
    expect(findMissing({ ...DRAFT, steps: [{ kind: 'remove', field: 'buyer' }] })).toBe(
      'Do not remove "buyer.mail": it identifies the person.',
    )
    expect(findMissing({ ...DRAFT, steps: [{ kind: 'remove', field: 'at' }] })).toContain('time')
  })
})

it('writes any text as YAML', () => {
  const texts = [
    '',
    'true',
    'No',
    'null',
    '1e3',
    '2026-01-01',
    '- a',
    'a: b',
    'a #b',
    '{x}',
    '"',
    '\n',
    'é',
    '*a',
  ]
  const value = { texts, 'a: b': { true: [[1, 'x'], [{ a: null, b: false }]] } }

  expect(parse(toYaml(value))).toEqual(value)
})
