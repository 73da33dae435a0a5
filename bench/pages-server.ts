import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves a list in numbered pages, and tells its port to the process that started it. */
const [pages = 0, size = 0] = process.argv.slice(2).map(Number)

const toRecord = (id: number) => ({
  ...{ id, email: `user${id % 50_000}@example.com`, at: '2025-01-01T10:00:00Z' },
  ...{ amount: id / 100, note: 'x'.repeat(200) },
})

const server = createServer(({ url = '' }, response) => {
  const page = Number(new URL(url, 'http://a').searchParams.get('page'))
  const length = page > pages ? 0 : size
  const records = Array.from({ length }, (_, index) => toRecord(page * size + index))
  response.end(JSON.stringify({ records }))
})

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
