import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { FakeS3, S3_KEYS } from './fake-s3.ts'
import { startBuiltIn } from './run-app.ts'
import { serveFake } from './serve-fake.ts'

it('S3 files unpacks and reads each format in the sandbox', async () => {
  const s3 = new FakeS3('data')
  s3.put('a b.csv.gz', gzipSync('who,at\na,2025-01-01\nb,2025-01-01\n'))
  s3.put('b.jsonl', '{"who": "c", "at": "2025-01-01"}\n')
  s3.put(
    'c.parquet',
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'who', data: ['dé', 'e'], type: 'STRING' },
          { name: 'at', data: ['2025-01-01', '2025-01-02'], type: 'STRING' },
        ],
      }),
    ),
  )
  const server = await serveFake((url, headers) => s3.respond(url, headers))
  const { runJob, recorded } = await startBuiltIn('S3 files', {
    config: {
      ...{ ...S3_KEYS, endpoint: server.origin, bucket: 'data' },
      ...{ distinct_id_field: 'who', timestamp_field: 'at' },
    },
    secrets: [S3_KEYS.secret_key],
  })

  expect(await runJob()).toEqual({ ended: 'succeeded' })

  expect(recorded.events.map(({ distinct_id }) => distinct_id)).toEqual(['a', 'b', 'c', 'dé', 'e'])
})

it('RSS follows a redirect and resolves links in the sandbox', async () => {
  const server = await serveFake(({ pathname }) =>
    pathname === '/new/feed'
      ? { body: '<rss><channel><title>F</title><item><link>a</link></item></channel></rss>' }
      : { status: 301, headers: { location: '/new/feed' } },
  )
  const { runJob, recorded } = await startBuiltIn('RSS', {
    config: { url: `${server.origin}/old` },
  })

  expect(await runJob()).toEqual({ ended: 'succeeded' })

  expect(recorded.events.map(({ properties }) => JSON.parse(properties).link)).toEqual([
    `${server.origin}/new/a`,
  ])
})
