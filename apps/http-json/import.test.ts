import { describe, expect, it } from 'vitest'
import {
  brokenOff,
  createFakeApp,
  type FakeOptions,
  type FakeResponse,
} from '../../test/apps/fake-app.ts'
import { importItems } from './import.ts'
import { toBackfillUrl } from './settings.ts'

const API = 'https://api.example.com/items'

const item = (id: number) => ({ id, distinct_id: `p${id}`, timestamp: '2024-01-01' })
const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => item(from + index))

/** Serves `count()` items in pages of two. */
function pagesOf(count: () => number) {
  return (url: URL): FakeResponse => {
    const page = Number(url.searchParams.get('page') ?? 1)
    const some = items(2 * page - 1, Math.min(2 * page, count()))
    return { body: JSON.stringify(some) }
  }
}

const BY_PAGE = { url: API, paging: 'page', paging_parameter: 'page', timestamp_field: 'timestamp' }

const start = (config: Record<string, unknown>, respond: FakeOptions['respond']) =>
  createFakeApp({ config: { timestamp_field: 'timestamp', url: API, ...config }, respond })

const idsOf = (fake: ReturnType<typeof createFakeApp>) =>
  fake.events().map(({ properties }) => properties.id)
const requestedPages = (fake: ReturnType<typeof createFakeApp>) =>
  fake.requested.map((url) => new URL(url).searchParams.get('page') ?? '1')

/** Lists what is stored besides the columns for the form. */
const withoutColumns = (storage: ReadonlyMap<string, unknown>) =>
  [...storage.keys()].filter((key) => key !== 'columns')

describe('the HTTP JSON app', () => {
  it('reads every page, then continues at the last one', async () => {
    let count = 5
    const fake = start(
      BY_PAGE,
      pagesOf(() => count),
    )
    await importItems(fake.app, {})
    expect(requestedPages(fake)).toEqual(['1', '2', '3', '4'])

    count = 7
    fake.requested.length = 0
    await importItems(fake.app, {})

    expect(requestedPages(fake)).toEqual(['3', '4', '5'])
    expect(idsOf(fake)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('continues where a failed run stopped', async () => {
    let fails = true
    const pages = pagesOf(() => 6)
    const fake = start(BY_PAGE, (url) =>
      fails && url.searchParams.get('page') === '3' ? { status: 403 } : pages(url),
    )
    await expect(importItems(fake.app, {})).rejects.toThrow('returned 403')
    expect(idsOf(fake)).toEqual([1, 2, 3, 4])

    fails = false
    fake.requested.length = 0
    await importItems(fake.app, {})

    expect(requestedPages(fake)).toEqual(['3', '4'])
    expect(idsOf(fake)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it.each([
    ['json', JSON.stringify(items(1, 40))],
    [
      'ndjson',
      items(1, 40)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    ],
  ])('requests %s again that breaks off, and counts each item once', async (format, body) => {
    const responses = [{ body: brokenOff(body.slice(0, 1500)) }, { body }]
    const fake = start({ format }, () => responses.shift() ?? {})

    await importItems(fake.app, {})

    expect(idsOf(fake)).toEqual(items(1, 40).map(({ id }) => id))
    expect(fake.logs).toEqual([
      'http://a/ broke off after 1500 bytes (other side closed). Retrying in 1 s.',
      '40 items read, 0 skipped.',
    ])
  })

  it('says how to import a response that is too large', async () => {
    const tooLarge = Object.assign(new Error('Read it in chunks'), { type: 'max-size' })
    const body = (async function* () {
      yield Buffer.from('[')
      throw tooLarge
    })()
    const fake = start({}, () => ({ body }))

    await expect(importItems(fake.app, {})).rejects.toThrow(
      `${API} returned more than 32 MiB at once. Set "Format" to ndjson if the API can return it, or set "Paging".`,
    )
    expect(fake.requested).toHaveLength(1)
  })

  it('keeps the fields of the items for the form, even if none becomes an event', async () => {
    const items = [
      { id: 1, user: { id: 7, at: { city: { a: 1 } } }, tags: [1] },
      { id: 2, ok: true },
    ]
    const fake = start({}, () => ({ body: JSON.stringify(items) }))

    await expect(importItems(fake.app, {})).rejects.toThrow('Nothing was imported')

    expect(JSON.parse(fake.storage.get('columns') ?? '')).toEqual([
      { name: 'id', type: 'number', example: '1' },
      { name: 'user.id', type: 'number', example: '7' },
      { name: 'user.at.city', type: 'object', example: '{"a":1}' },
      { name: 'tags', type: 'list', example: '[1]' },
      { name: 'ok', type: 'boolean', example: 'true' },
    ])
  })

  it('saves its position only after the items are stored', async () => {
    let isFull = true
    const fake = createFakeApp({
      config: BY_PAGE,
      respond: pagesOf(() => 3),
      capture: async () => {
        if (isFull) throw new Error('disk full')
      },
    })
    await expect(importItems(fake.app, {})).rejects.toThrow('disk full')
    expect(withoutColumns(fake.storage)).toEqual([])

    isFull = false
    await importItems(fake.app, {})

    expect(idsOf(fake)).toEqual([1, 2, 3])
  })

  it('stops after the requested number of pages and continues from there', async () => {
    const fake = start(
      BY_PAGE,
      pagesOf(() => 6),
    )
    await importItems(fake.app, { max_pages: 1 })
    expect(idsOf(fake)).toEqual([1, 2])

    await importItems(fake.app, { max_pages: 1 })

    expect(idsOf(fake)).toEqual([1, 2, 3, 4])
  })

  it('starts over on request, or when the URL has changed', async () => {
    const fake = start(
      BY_PAGE,
      pagesOf(() => 5),
    )
    await importItems(fake.app, {})

    fake.requested.length = 0
    await importItems(fake.app, { from_start: true, max_pages: 1 })
    const config = { ...BY_PAGE, url: `${API}?kind=b` }
    await importItems({ ...fake.app, meta: { ...fake.app.meta, config } }, { max_pages: 1 })

    expect(requestedPages(fake)).toEqual(['1', '1'])
    expect(fake.counts.captured).toBe(9)
    expect(idsOf(fake)).toEqual([1, 2, 3, 4, 5, 1, 2])
  })

  it('treats a missing page as the end', async () => {
    const pages = pagesOf(() => 4)
    const fake = start(BY_PAGE, (url) =>
      url.searchParams.get('page') === '3' ? { status: 404 } : pages(url),
    )

    await importItems(fake.app, {})

    expect(idsOf(fake)).toEqual([1, 2, 3, 4])
  })

  it('treats a repeated page as the end', async () => {
    const fake = start(BY_PAGE, () => ({ body: JSON.stringify(items(1, 2)) }))

    await importItems(fake.app, {})

    expect(fake.requested).toHaveLength(2)
  })

  it('starts over when its last page no longer exists', async () => {
    let count = 6
    const pages = pagesOf(() => count)
    const fake = start(BY_PAGE, (url) =>
      Number(url.searchParams.get('page') ?? 1) * 2 > count + 1 ? { status: 404 } : pages(url),
    )
    await importItems(fake.app, {})

    count = 2
    fake.requested.length = 0
    await importItems(fake.app, {})

    expect(requestedPages(fake)).toEqual(['3', '1', '2'])
  })

  it('follows cursors and saves the last one', async () => {
    const config = {
      paging: 'cursor',
      paging_parameter: 'after',
      cursor_path: 'next',
      items: 'data',
    }
    const responses: Record<string, unknown> = {
      first: { data: items(1, 2), next: 'b' },
      b: { data: items(3, 3), next: null },
    }
    const fake = start(config, (url) => ({
      body: JSON.stringify(responses[url.searchParams.get('after') ?? 'first']),
    }))
    await importItems(fake.app, {})

    responses.b = { data: items(3, 4), next: 'c' }
    responses.c = { data: [], next: null }
    await importItems(fake.app, {})

    expect(fake.requested.map((url) => new URL(url).search)).toEqual([
      '',
      '?after=b',
      '?after=b',
      '?after=c',
    ])
    expect(idsOf(fake)).toEqual([1, 2, 3, 4])
  })

  it('stops at an API that returns new cursors forever', async () => {
    let cursor = 0
    const config = {
      paging: 'cursor',
      paging_parameter: 'after',
      cursor_path: 'next',
      items: 'data',
    }
    const fake = start(config, () => {
      cursor += 1
      return { body: JSON.stringify({ data: cursor === 1 ? items(1, 1) : [], next: cursor }) }
    })

    await importItems(fake.app, {})

    expect(fake.requested).toHaveLength(11)
  })

  it('follows links and sends its headers only to its own server', async () => {
    const config = { paging: 'link', headers: '{"authorization": "Bearer s3cret"}' }
    const link = '<https://other.example.com/items>; rel="next"'
    const fake = start(config, (url) =>
      url.hostname === 'api.example.com'
        ? { body: JSON.stringify(items(1, 1)), headers: { link } }
        : { body: JSON.stringify(items(2, 2)) },
    )

    await importItems(fake.app, {})

    expect(idsOf(fake)).toEqual([1, 2])
    expect(fake.sentHeaders.map(({ authorization }) => authorization)).toEqual([
      'Bearer s3cret',
      undefined,
    ])
  })

  it('stops at the newest known item when newest come first', async () => {
    let newest = 6
    const fake = start({ ...BY_PAGE, order: 'newest first' }, (url) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      const first = newest - 2 * (page - 1)
      return { body: JSON.stringify([first, first - 1].filter((id) => id > 0).map(item)) }
    })
    await importItems(fake.app, {})
    expect(requestedPages(fake)).toEqual(['1', '2', '3', '4'])

    newest = 9
    fake.requested.length = 0
    await importItems(fake.app, {})

    expect(requestedPages(fake)).toEqual(['1', '2'])
    expect(idsOf(fake).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('reads NDJSON and skips invalid lines', async () => {
    const body = `${JSON.stringify(item(1))}\n\nnot json\n{"id":2}\n${JSON.stringify(item(3))}`
    const fake = start({ format: 'ndjson' }, () => ({ body }))

    await importItems(fake.app, {})

    expect(idsOf(fake)).toEqual([1, 3])
    expect(fake.logs).toEqual([
      'Line 3: not JSON. Skipped.',
      expect.stringMatching(/^Line 4: no person ID/),
      '4 items read, 2 skipped.',
    ])
  })

  it('imports the valid items of a page with bad items', async () => {
    const body = JSON.stringify([item(1), { id: 2 }, 'x', item(4)])
    const fake = start({}, () => ({ body }))

    await importItems(fake.app, {})

    expect(idsOf(fake)).toEqual([1, 4])
    expect(fake.logs[0]).toMatch(/^Item 2: no person ID/)
  })

  it.each([
    ['no address', { url: '' }, '[]', 'The "URL" is not set'],
    ['a bad address', { url: 'example' }, '[]', 'The "URL" is not valid: "example"'],
    ['bad headers', { headers: '[1]' }, '[]', '"Headers" must be a JSON object'],
    ['no parameter', { paging: 'page' }, '[]', 'needs the "Paging parameter"'],
    ['no cursor', { paging: 'cursor' }, '[]', 'needs the "Cursor path"'],
    ['no JSON', {}, '<html> login', 'did not return JSON'],
    ['no list', {}, '{"data":[],"next":1}', 'is an object, not an array. Fields: data, next.'],
    [
      'another path',
      { items: 'data.x' },
      '{"data":[]}',
      '"data.x" in the response is nothing, not an array',
    ],
    ['only bad items', {}, '[{"id":1}]', 'Nothing was imported, 1 skipped. Item 1: no person'],
  ])('explains the failure: %s', async (_, config, body, expected) => {
    const fake = start(config, () => ({ body }))

    await expect(importItems(fake.app, {})).rejects.toThrow(expected)
    expect(withoutColumns(fake.storage)).toEqual([])
  })

  it.each([[0], [1.5], ['many']])('refuses to read %j pages', async (max_pages) => {
    const fake = start({}, () => ({ body: '[]' }))

    const importing = importItems(fake.app, { max_pages })

    await expect(importing).rejects.toThrow('"max_pages" must be a whole number')
    expect(fake.requested).toEqual([])
  })

  it('accepts an empty response', async () => {
    for (const body of ['[]', 'null', '']) {
      const fake = start({}, () => ({ body }))

      await importItems(fake.app, {})

      expect([fake.requested.length, idsOf(fake)], body).toEqual([1, []])
    }
  })
})

describe('a backfill of the HTTP JSON app', () => {
  const PAST = {
    url: API,
    backfill_url: `${API}?since={from}&until={to}`,
    timestamp_field: 'timestamp',
  }
  const WINDOW = { from: '2024-01-01T00:00:00.000Z', to: '2024-01-02T00:00:00.000Z' }

  it('asks for one window, and gives items the UUIDs that they have in other runs', async () => {
    const fake = start(PAST, () => ({ body: JSON.stringify(items(1, 2)) }))

    await importItems(fake.app, {})
    await importItems(fake.app, {}, toBackfillUrl(fake.app.meta, WINDOW))

    expect(fake.requested).toEqual([
      API,
      `${API}?since=2024-01-01T00%3A00%3A00.000Z&until=2024-01-02T00%3A00%3A00.000Z`,
    ])
    expect(idsOf(fake)).toEqual([1, 2]) // each stored once
  })

  it.each([
    ['', 'The "Backfill URL" is not set.'],
    [`${API}?since={from}`, 'The "Backfill URL" must contain {from} and {to}.'],
    ['{from}{to}', 'The "Backfill URL" is not valid'],
  ])('refuses the URL %j', (backfill_url, message) => {
    const { app } = start({ ...PAST, backfill_url }, () => ({}))

    expect(() => toBackfillUrl(app.meta, WINDOW)).toThrow(message)
  })
})
