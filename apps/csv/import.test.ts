import { describe, expect, it } from 'vitest'
import { CSV_SAMPLE } from '#model/connect-samples.ts'
import { attachment, brokenOff, createFakeApp, type FakeOptions } from '../../test/apps/fake-app.ts'
import { importIfChanged, importNow } from './import.ts'

const HEADER = 'distinct_id,timestamp,event,amount,zip,paid\n'
const ROWS = ['ann,2024-01-01,bought,12.5,01234,true\n', 'bob,1704153600,sold,,10115,false\n']
const FILE = HEADER + ROWS.join('')
const CONFIG = { event: 'event' }
const ADDRESS = 'https://example.com/events.csv'

const withFile = (text: string, options: FakeOptions = {}) =>
  createFakeApp({ config: CONFIG, attachments: { file: attachment(text) }, ...options })

describe('the CSV app', () => {
  it('creates an event for every row', async () => {
    const fake = withFile(FILE)

    await importNow(fake.app, {})

    expect(fake.events()).toMatchObject([
      {
        event: 'bought',
        distinct_id: 'ann',
        timestamp: '2024-01-01T00:00:00.000Z',
        properties: { amount: 12.5, zip: '01234', paid: true },
      },
      {
        event: 'sold',
        distinct_id: 'bob',
        timestamp: '2024-01-02T00:00:00.000Z',
        properties: { zip: '10115', paid: false },
      },
    ])
    expect(fake.events()[1]?.properties).not.toHaveProperty('amount')
  })

  it('imports the example of the connect page without settings', async () => {
    const fake = withFile(CSV_SAMPLE, { config: {} })

    await importNow(fake.app, {})

    expect(fake.events()).toMatchObject([
      { distinct_id: 'ann@example.com', timestamp: '2026-01-05T10:00:00.000Z' },
      { distinct_id: 'bob@example.com', properties: { plan: 'pro' } },
    ])
  })

  it('reads the URL of the settings, or that of the payload', async () => {
    const config = { ...CONFIG, url: ADDRESS }
    const fake = createFakeApp({ config, respond: () => ({ body: FILE }) })

    await importNow(fake.app, {})
    await importNow(fake.app, { url: 'https://example.com/other.csv' })

    expect(fake.requested).toEqual([ADDRESS, 'https://example.com/other.csv'])
    expect(fake.events()).toHaveLength(4)
  })

  it('continues a file that breaks off', async () => {
    const responses = [{ body: brokenOff(FILE.slice(0, -10)) }, { body: FILE }]
    const config = { ...CONFIG, url: ADDRESS }
    const fake = createFakeApp({ config, respond: () => responses.shift() ?? {} })

    await importNow(fake.app, {})

    expect(fake.counts.captured).toBe(2)
    expect(fake.logs.at(-1)).toBe('2 rows read, 2 imported, 0 skipped.')
  })

  it('stores only the new rows of a file that has grown', async () => {
    const fake = withFile(FILE)
    await importNow(fake.app, {})

    await importNow(fake.app, {})
    const file = attachment(`${FILE}cleo,2024-01-03,bought,1,1,true\n`)
    await importNow({ ...fake.app, meta: { ...fake.app.meta, attachments: { file } } }, {})

    expect(fake.events().map(({ distinct_id }) => distinct_id)).toEqual(['ann', 'bob', 'cleo'])
  })

  it('keeps identical rows', async () => {
    const fake = withFile(HEADER + ROWS[0] + ROWS[0])

    await importNow(fake.app, {})

    expect(fake.events()).toHaveLength(2)
  })

  it('imports rows again when the mapping has changed', async () => {
    const fake = withFile(FILE)
    await importNow(fake.app, {})

    const config = { ...CONFIG, distinct_id_column: 'zip' }
    await importNow({ ...fake.app, meta: { ...fake.app.meta, config } }, {})

    expect(fake.events().map(({ distinct_id }) => distinct_id)).toEqual([
      'ann',
      'bob',
      '01234',
      '10115',
    ])
  })

  it('skips bad rows and logs their lines', async () => {
    const bad = [
      'x,2024-01-01\n',
      ',2024-01-01,e,,,\n',
      'x,last week,e,,,\n',
      '"x,2024-01-01,e,,,\n',
      'x,2024-01-01,,,,\n',
    ]
    const fake = withFile(`${HEADER}\n${bad.join('')}${ROWS[0]}`)

    await importNow(fake.app, {})

    expect(fake.events()).toHaveLength(1)
    expect(fake.logs).toEqual([
      'Line 3: 2 fields, but the header has 6. Skipped.',
      'Line 4: no person ID in "distinct_id". Skipped.',
      expect.stringMatching(/^Line 5: ".*" in "timestamp" is not a date\. Skipped\.$/),
      'Line 6: a quote is never closed. Skipped.',
      'Line 7: no event name in "event". Skipped.',
      '6 rows read, 1 imported, 5 skipped.',
    ])
  })

  it('logs the first 20 bad rows and counts the others', async () => {
    const fake = withFile(HEADER + 'x\n'.repeat(33) + ROWS[0])

    await importNow(fake.app, {})

    expect(fake.logs.filter((line) => line.startsWith('Line '))).toHaveLength(20)
    expect(fake.logs).toContain('33 skipped in total. The first 20 are listed above.')
  })

  it.each([
    ['nothing to import', {}, undefined, 'Set the "URL" or attach a "File"'],
    ['an empty file', {}, '', 'The file is empty'],
    ['no person column', {}, 'who,timestamp\n1,2\n', 'no column "distinct_id". Columns: who'],
    ['no time column', {}, 'distinct_id\n1\n', 'no column "timestamp"'],
    ['only bad rows', CONFIG, `${HEADER}x\n`, 'Nothing was imported, 1 skipped. Line 2: 1'],
  ])('explains the failure: %s', async (_, config, text, expected) => {
    const attachments = text === undefined ? undefined : { file: attachment(text) }
    const fake = createFakeApp({ config, attachments })

    await expect(importNow(fake.app, {})).rejects.toThrow(expected)
    expect(fake.events()).toEqual([])
  })

  it('explains an error response', async () => {
    const config = { url: `${ADDRESS}?key=1` }
    const fake = createFakeApp({ config, respond: () => ({ status: 403, body: 'go away' }) })

    const importing = importNow(fake.app, {})

    await expect(importing).rejects.toThrow(`${ADDRESS} returned 403. Response: go away`)
  })

  it('uses the time of the import without a time column', async () => {
    const fake = withFile('distinct_id\nann\n', { config: { timestamp_column: '' } })

    await importNow(fake.app, {})

    expect(fake.events()).toMatchObject([{ event: 'imported', distinct_id: 'ann' }])
  })

  it('reports how much of the file is read', async () => {
    const text = HEADER + (ROWS[0] as string).repeat(3000)
    const fake = withFile(text)

    await importNow(fake.app, {})

    expect(fake.progress.length).toBeGreaterThan(2)
    expect(fake.progress.at(-1)).toEqual({ done: text.length, total: text.length })
  })
})

describe('the schedule of the CSV app', () => {
  it('skips a file that has not changed', async () => {
    const fake = withFile(FILE)
    await importNow(fake.app, {})

    await importIfChanged(fake.app)

    expect(fake.counts.captured).toBe(2)
    expect(fake.logs.at(-1)).toContain('Nothing to import')
  })

  it('imports a file of the same name and size with different content', async () => {
    const fake = withFile(FILE)
    await importIfChanged(fake.app)
    const file = attachment(FILE.replace('bob', 'rob'))

    await importIfChanged({ ...fake.app, meta: { ...fake.app.meta, attachments: { file } } })

    expect(fake.events().map(({ distinct_id }) => distinct_id)).toEqual(['ann', 'bob', 'rob'])
  })

  it.each([
    ['etag', '"v1"', 'if-none-match'],
    ['last-modified', 'Tue, 05 Mar 2024 10:20:30 GMT', 'if-modified-since'],
  ])('requests a URL only for a new %s', async (header, value, condition) => {
    const fake = createFakeApp({
      config: { ...CONFIG, url: ADDRESS },
      respond: (_, headers) =>
        headers[condition] === value
          ? { status: 304 }
          : { body: FILE, headers: { [header]: value } },
    })
    await importIfChanged(fake.app)

    await importIfChanged(fake.app)

    expect(fake.counts.captured).toBe(2)
    expect(fake.requested).toHaveLength(2)
  })

  it('reads the file again when the settings change', async () => {
    const fake = withFile(FILE)
    await importIfChanged(fake.app)
    const config = { ...CONFIG, distinct_id_column: 'zip' }

    await importIfChanged({ ...fake.app, meta: { ...fake.app.meta, config } })

    expect(fake.events()).toHaveLength(4)
  })
})
