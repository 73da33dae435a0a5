import { describe, expect, it } from 'vitest'
import { type Draft, EMPTY, type Parent } from './draft.ts'
import { findMissing } from './missing.ts'
import { fillFromSamples, guessAddressAbove, listLevels, withParent } from './parents.ts'
import { toConnector } from './to-connector.ts'

const API = 'https://api.example.com'
const ITEMS: Draft = {
  ...EMPTY,
  url: `${API}/v1/regions/eu/shops/7/items?shop=7&page=1`,
  key: { kind: 'query', name: 'token', value: 's3cret' },
  list: 'items',
  roles: { person: 'buyer' },
  paginate: { page: { parameter: 'page', first: 1 } },
  event: 'item',
}

const responseOf = (content: unknown, more: object = {}) => ({
  url: API,
  status: 200,
  content_type: 'application/json',
  link: '',
  body: JSON.stringify(content),
  ...more,
})

const SHOPS = [
  { id: 6, code: '7' },
  { id: 7, code: 'x', name: 'North' },
]
const withShops = (draft = ITEMS, url = `${API}/v1/regions/eu/shops?token=x`): Draft => ({
  ...draft,
  ...withParent(draft, url, responseOf({ data: SHOPS })),
})

const only = ({ parents }: Draft): Parent => parents[0] as Parent

describe('a parent of a draft', () => {
  it('has the key that the address below contains', () => {
    const { sample, ...parent } = only(withShops())

    // the code of the first shop is 7 by chance
    expect(sample).toEqual(SHOPS[0])
    expect(parent).toMatchObject({ list: 'data', key: 'code', part: 'path 5' })
    const ids = responseOf([{ id: 7, code: '7' }])
    expect(only({ ...ITEMS, ...withParent(ITEMS, API, ids) })).toMatchObject({ key: 'id' })
  })

  it('has its ID as key if the address below contains none', () => {
    const parent = only({ ...ITEMS, ...withParent(ITEMS, API, responseOf([{ id: 99 }])) })

    expect(parent).toMatchObject({ key: 'id', part: '', sample: { id: 99 } })
  })

  it.each([
    ['an error', { error: 'no' }, { status: 401 }],
    ['no list', { id: 7 }, {}],
    ['an empty list', [], {}],
    ['a list of texts', ['a'], {}],
  ])('cannot be %s', (_, content, more) => {
    expect(withParent(ITEMS, API, responseOf(content, more))).toBeUndefined()
  })

  it('is a stream above, with its own parent, paging and hosts', () => {
    const shops = withShops()
    const above = withParent(
      { ...shops, hosts: 'a.example.com' },
      `${API}/v1/regions?page=1&token=x`,
      responseOf([{ name: 'eu' }], { url: 'https://b.example.com/regions' }),
    )

    expect(toConnector({ ...shops, ...above })).toMatchObject({
      hosts: ['a.example.com', 'b.example.com'],
      streams: [
        {
          name: 'regions',
          path: '/v1/regions',
          query: undefined,
          paginate: { page: { parameter: 'page', first: 1 } },
        },
        {
          name: 'shops',
          parent: { stream: 'regions' },
          path: '/v1/regions/{{regions.name}}/shops',
          records: 'data',
        },
        {
          name: 'items',
          parent: { stream: 'shops' },
          path: '/v1/regions/eu/shops/{{shops.code}}/items',
          query: { shop: '7' },
          records: 'items',
        },
      ],
    })
  })

  it('can have its key in a parameter, beside partitions', () => {
    const [parent] = withShops().parents as [Parent]
    const parts = [
      { id: 'path 5', values: '7, 8' },
      { id: 'parameter shop', values: '1' }, // where the key is
    ]
    const parents = [{ ...parent, part: 'parameter shop' }]

    expect(toConnector({ ...ITEMS, parents, parts })).toMatchObject({
      streams: [
        {},
        {
          path: '/v1/regions/eu/shops/{{partition.path_5}}/items',
          query: { shop: '{{shops.code}}' },
          partitions: [{ name: 'path_5', values: ['7', '8'] }],
        },
      ],
    })
  })

  it('has a name of its own', () => {
    const url = `${API}/partition/7/partition`
    const named = withShops({ ...ITEMS, url }, `${API}/partition`)

    expect(listLevels(named).map(({ name }) => name)).toEqual(['partition_2', 'partition_3'])
  })

  it('gives its values to the steps, as the parts of the address do', () => {
    const draft = withShops()

    expect(fillFromSamples(draft, 'shop {{shops.id}}')).toBe('shop 6')
    expect(fillFromSamples(draft, '{{partition.path_3}} {{token}}')).toBe('eu {{token}}')
    expect(fillFromSamples(draft, '{{shops.name}}')).toBe(null)
  })

  it('needs a key, its place, and the host of the list', () => {
    const draft = withShops()
    const change = (fields: Partial<Parent>) =>
      findMissing({ ...draft, parents: [{ ...only(draft), ...fields }] })

    expect(findMissing(draft)).toBeUndefined()
    expect(change({ key: '' })).toContain('key')
    expect(change({ part: '' })).toContain('where the key')
    expect(change({ part: 'path 9' })).toContain('where the key')
    expect(change({ url: 'https://other.example.com/shops' })).toBe(
      `Parents must begin with ${API}/.`,
    )
  })
})

it.each([
  [`${API}/v1/shops/7/orders?page=1`, `${API}/v1/shops`],
  [`${API}/v1/orders`, ''],
  ['no address', ''],
])('the list above %s is guessed as "%s"', (url, above) => {
  expect(guessAddressAbove(url)).toBe(above)
})
