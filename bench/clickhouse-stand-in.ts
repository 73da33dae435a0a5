import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { SEMANTICS } from '#server/analytics/clickhouse/settings.ts'

/** About 100,000 events, as one core of ClickHouse inserts: a faster receiver leaves the sender no time to free memory. */
const BYTES_PER_SECOND = 40 * 1024 * 1024
const MIN_WAIT_MS = 10

export interface StandIn {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts a server that reads and discards inserts, for measuring the memory of the sender. It knows only the statements
 * with which a server starts and sends events, and can answer no query.
 */
export async function startStandIn(): Promise<StandIn> {
  let marker: object | undefined
  const server = createServer(async (request, response) => {
    const insert = new URL(request.url ?? '', 'http://localhost').searchParams.get('query')
    if (insert) {
      await discard(request)
      response.end()
      return
    }
    const statement = await text(request)
    if (/^check grant/i.test(statement)) return void response.end('1\n')
    if (statement === 'select version()') return void response.end('26.7\n')
    marker ??= readMarker(statement)
    const rows = answer(statement, marker)
    response.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `clickhouse://127.0.0.1:${port}/default`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  const start = performance.now()
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    const ahead = (bytes / BYTES_PER_SECOND) * 1000 - (performance.now() - start)
    if (ahead > MIN_WAIT_MS) await wait(ahead)
  }
}

/** Reads the name of the installation that a server writes at its first start. */
function readMarker(statement: string): object | undefined {
  const found = /^insert into event_store .*'(.+)', (\d+)\)/.exec(statement)
  return found ? { installation: found[1], schema_version: Number(found[2]) } : undefined
}

function answer(statement: string, marker: object | undefined): readonly object[] {
  if (statement.includes('as is_0')) return [toProbe(statement)]
  if (statement.includes('from system.settings')) {
    return Object.entries(SEMANTICS).map(([name, value]) => ({ name, value: String(value) }))
  }
  return statement.includes('from event_store') && marker ? [marker] : []
}

/** Confirms every expectation of a server that starts. */
const toProbe = (statement: string): object => ({
  now: Date.now(),
  ...Object.fromEntries(statement.matchAll(/as (is_\d+)/g).map(([, name]) => [name, true])),
})
