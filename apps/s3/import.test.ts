import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { brokenOff, createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import { FakeS3, S3_KEYS } from '../../test/apps/fake-s3.ts'
import { importFiles } from './import.ts'

interface Options {
  readonly config?: object
  readonly isHostStyle?: boolean
  readonly capture?: () => Promise<unknown>
  readonly maxRequests?: number
}

function start({ config, isHostStyle, ...options }: Options = {}) {
  const s3 = new FakeS3('data', { isHostStyle })
  const before: { respond(url: URL): FakeResponse | undefined } = { respond: () => undefined }
  const fake = createFakeApp({
    config: {
      ...{ ...S3_KEYS, endpoint: 'http://minio.test:9000', bucket: 'data' },
      ...{ event: 'row', distinct_id_field: 'who', timestamp_field: 'at' },
      ...config,
    },
    respond: (url, headers) => before.respond(url) ?? s3.respond(url, headers),
    ...options,
  })
  return { ...fake, s3, before, run: () => importFiles(fake.app) }
}

const people = (fake: ReturnType<typeof start>) =>
  fake.events().map(({ distinct_id }) => distinct_id)

const csv = (...rows: string[]) => `who,at,n\n${rows.join('\n')}\n`
const jsonLine = (who: string) => JSON.stringify({ who, at: '2025-01-01', deep: { n: 1 } })

function parquet(rows: number, { codec = 'SNAPPY' as const, rowGroupSize = rows } = {}) {
  const list = Array.from({ length: rows }, (_, n) => n)
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'who', data: list.map((n) => `p${n}`), type: 'STRING' },
      {
        name: 'at',
        data: list.map((n) => new Date(Date.UTC(2025, 0, 1, 0, 0, n))),
        type: 'TIMESTAMP',
      },
      { name: 'id', data: list.map((n) => 2n ** 60n + BigInt(n)), type: 'INT64' },
    ],
    codec,
    rowGroupSize,
  })
  return new Uint8Array(bytes)
}

describe('files on S3-compatible storage', () => {
  it('are found in all pages of the list, and read by their names', async () => {
    const fake = start({ config: { prefix: 'in/' } })
    fake.s3.put('in/a.csv', csv('a,2025-01-01,1', 'b,2025-01-02,2'))
    fake.s3.put('in/b.csv.gz', gzipSync(csv('c,2025-01-01,1')))
    fake.s3.put('in/c.jsonl', `${jsonLine('d')}\n\n${jsonLine('e')}`)
    fake.s3.put('in/d.ndjson.gz', gzipSync(jsonLine('f')))
    fake.s3.put('in/e.parquet', parquet(2))
    fake.s3.put('in/folder/', '')
    fake.s3.put('in/readme.txt', 'hello')
    fake.s3.put('out/a.csv', csv('x,2025-01-01,1'))

    await fake.run()

    expect(people(fake)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'p0', 'p1'])
    expect(fake.events().at(-1)).toMatchObject({
      event: 'row',
      timestamp: '2025-01-01T00:00:01.000Z',
      properties: { id: '1152921504606846977' },
    })
    expect(fake.logs.at(-1)).toBe('5 files imported, 0 unchanged, 2 of other formats.')
  })

  it.each([
    ['a.csv', csv('a,2025-01-01,1'), ['who a', 'at 2025-01-01', 'n 1']],
    ['a.jsonl', jsonLine('d'), ['who d', 'at 2025-01-01', 'deep.n 1']],
    ['a.parquet', parquet(1), ['who p0', 'at 2025-01-01T00:00:00.000Z', 'id 1152921504606846976']],
  ])('list the columns of the first one, as of %s', async (name, content, expected) => {
    const fake = start({ config: { distinct_id_field: 'nobody' } })
    fake.s3.put(name, content)
    fake.s3.put('b.csv', 'other\nx\n')

    await fake.run().catch(() => {})

    const columns = JSON.parse(fake.storage.get('columns') as string)
    expect(
      columns.map(
        (column: { name: string; example: string }) => `${column.name} ${column.example}`,
      ),
    ).toEqual(expected)
  })

  it('are imported once, and again when they have changed', async () => {
    const fake = start()
    fake.s3.put('a.csv', csv('a,2025-01-01,1'))
    await fake.run()
    fake.s3.put('b.csv', csv('b,2025-01-01,1'))
    await fake.run()
    fake.s3.put('a.csv', csv('a,2025-01-01,1', 'c,2025-01-01,1'))

    await fake.run()

    expect(people(fake)).toEqual(['a', 'b', 'c'])
    expect(fake.s3.reads).toEqual(['a.csv', 'b.csv', 'a.csv'])
  })

  it('are imported again by another mapping', async () => {
    const fake = start()
    fake.s3.put('a.csv', csv('a,2025-01-01,1'))
    await fake.run()
    const config = { ...fake.app.meta.config, event: 'other' }

    await importFiles({ ...fake.app, meta: { ...fake.app.meta, config } })

    expect(fake.events().map(({ event }) => event)).toEqual(['row', 'other'])
  })

  it('have names with any characters', async () => {
    const fake = start()
    const keys = ["a b+c&d='é'(1)*.csv", '日本/=?#%41.csv', '..a/x.csv']
    for (const key of keys) fake.s3.put(key, csv(`${key.length},2025-01-01,1`))

    await fake.run()

    expect(fake.s3.reads.toSorted()).toEqual(keys.toSorted())
    expect(fake.events()).toHaveLength(3)
  })

  it.each([
    ['an address of its own', {}, 'http://minio.test:9000/data/'],
    ['host names', { style: 'host name' }, 'http://data.minio.test:9000/'],
    ['Amazon', { endpoint: '' }, 'https://data.s3.eu-1.amazonaws.com/'],
    ['Amazon, by path', { endpoint: '', style: 'path' }, 'https://s3.eu-1.amazonaws.com/data/'],
  ])('are at the URL of %s', async (_, config, address) => {
    const fake = start({ config, isHostStyle: address.includes('//data.') })
    fake.s3.put('a.csv', csv('a,2025-01-01,1'))

    await fake.run()

    expect(fake.requested[1]).toBe(`${address}a.csv`)
    expect(people(fake)).toEqual(['a'])
  })

  it('continue in the middle of a file after a failure', async () => {
    let left = 1
    const rows = Array.from({ length: 45_000 }, (_, n) => `p${n},2025-01-01,${n}`)
    const fake = start({
      capture: async () => {
        left -= 1
        if (left < 0 && fake.counts.captured >= 30_000) throw new Error('out of disk')
      },
    })
    fake.s3.put('a.csv', csv(...rows))
    await expect(fake.run()).rejects.toThrow('out of disk')
    left = 100_000
    const before = fake.counts.captured

    await fake.run()

    expect(fake.events()).toHaveLength(45_000)
    expect(fake.counts.captured - before).toBeLessThanOrEqual(25_000)
    await fake.run()
    expect(fake.logs.at(-1)).toBe('0 files imported, 1 unchanged, 0 of other formats.')
  })

  it('continue at the byte where a connection broke off', async () => {
    const fake = start()
    const text = csv('a,2025-01-01,1', 'b,2025-01-02,2', 'c,2025-01-03,3')
    fake.s3.put('a.csv', text)
    let isFirst = true
    fake.before.respond = ({ pathname }) => {
      if (!pathname.endsWith('a.csv') || !isFirst) return undefined
      isFirst = false
      return { body: brokenOff(text.slice(0, 20)) }
    }

    await fake.run()

    expect(people(fake)).toEqual(['a', 'b', 'c'])
    expect(fake.s3.reads).toEqual(['a.csv bytes=20-'])
  })

  it('that change while they are read are refused, and read by the next run', async () => {
    const fake = start()
    fake.s3.put('a.csv', csv('a,2025-01-01,1'))
    fake.before.respond = ({ pathname }) => {
      if (pathname.endsWith('a.csv')) fake.s3.put('a.csv', csv('b,2025-01-01,1'))
      return undefined
    }
    await expect(fake.run()).rejects.toThrow('"a.csv" has changed. The next run reads it.')

    await fake.run()

    expect(people(fake)).toEqual(['b'])
  })

  it('that cannot be read stop no others', async () => {
    const fake = start()
    fake.s3.put('a.csv', 'nobody,at\n1,2\n')
    fake.s3.put('b.csv.gz', gzipSync(csv('b,2025-01-01,1')).subarray(0, 20))
    fake.s3.put('c.parquet', 'PAR1 not really PAR1')
    fake.s3.put('d.csv', csv('d,2025-01-01,1'))
    fake.s3.put('e.jsonl', '{broken\n[1]\n')

    await expect(fake.run()).rejects.toThrow(
      /"a\.csv": The file has no column "who".* 2 other files failed too\.$/,
    )

    expect(people(fake)).toEqual(['d'])
    expect(fake.skipped.map(({ reason }) => reason)).toEqual([
      'e.jsonl, line 1: not JSON.',
      'e.jsonl, line 2: not an object.',
    ])
  })

  it.each([
    [{ secret_key: 'wrong' }, 'SignatureDoesNotMatch', 'Check the "Secret access key"'],
    [{ access_key: 'other' }, 'InvalidAccessKeyId', 'Check the "Access key ID".'],
    [{ bucket: 'nothing' }, 'NoSuchBucket', 'Check the "Bucket" and the "Region".'],
  ])('need right settings: %j is %s', async (config, code, remedy) => {
    const failing = start({ config }).run()

    await expect(failing).rejects.toThrow(code)
    await expect(failing).rejects.toThrow(remedy)
  })

  it.each([
    [{ bucket: '' }, 'The "Bucket" is not set.'],
    [{ bucket: 'a/b' }, 'The "Bucket" is not a name: "a/b".'],
    [{ endpoint: 'minio:9000' }, 'The "Address" is not valid: "minio:9000".'],
    [{ secret_key: '' }, 'The "Secret access key" is not set.'],
  ])('need settings: %j is refused', async (config, message) => {
    await expect(start({ config }).run()).rejects.toThrow(message)
  })

  it('at an address without such storage are refused', async () => {
    const fake = start()
    fake.before.respond = () => ({ body: '<html>Welcome</html>' })

    await expect(fake.run()).rejects.toThrow('returned no list of files. Check the "Address".')
  })
})

describe('a Parquet file', () => {
  it.each(['UNCOMPRESSED', 'SNAPPY'] as const)('of %s pages is read', async (codec) => {
    const fake = start()
    fake.s3.put('a.parquet', parquet(5000, { codec: codec as 'SNAPPY', rowGroupSize: 2500 }))

    await fake.run()

    expect(new Set(people(fake)).size).toBe(5000)
    // the end of the file, and each row group once
    expect(fake.s3.reads).toHaveLength(3)
  })

  it('is continued at the row group where a run broke off', async () => {
    const fake = start({ maxRequests: 1000 })
    fake.s3.put('a.parquet', parquet(60_000, { rowGroupSize: 10_000 }))
    let groups = 0
    fake.before.respond = ({ pathname }) => {
      if (!pathname.endsWith('.parquet')) return undefined
      groups += 1
      return groups === 6 ? { status: 403, body: 'expired' } : undefined
    }
    await expect(fake.run()).rejects.toThrow('returned 403')
    const { captured } = fake.counts
    const reads = fake.s3.reads.length

    await fake.run()

    expect(new Set(people(fake)).size).toBe(60_000)
    expect(fake.counts.captured - captured).toBe(20_000)
    expect(fake.s3.reads.length - reads).toBe(3)
  })
})
