import { join } from 'node:path'
import {
  BIGINT,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  DuckDBUUIDValue,
  TIMESTAMPTZ,
  UUID,
  VARCHAR,
} from '@duckdb/node-api'
import type { NewEvent } from '#server/analytics/event-store.ts'

const TYPES = [BIGINT, BIGINT, UUID, VARCHAR, VARCHAR, TIMESTAMPTZ, VARCHAR, TIMESTAMPTZ]

/** DuckDB's appender as documented: a data chunk with the table's types, and a commit. */
export async function openAppender(folder: string) {
  const instance = await DuckDBInstance.create(join(folder, 'direct.duckdb'), {
    threads: '2',
    memory_limit: '256MB',
    checkpoint_threshold: '64MB',
  })
  const connection = await instance.connect()
  await connection.run(
    'create table events (project_id bigint, seq bigint, uuid uuid, event varchar, distinct_id varchar, timestamp timestamptz, properties varchar, created_at timestamptz)',
  )
  let seq = 0n
  return {
    async append(events: readonly NewEvent[]): Promise<void> {
      const chunk = DuckDBDataChunk.create(TYPES, events.length)
      const now = toTime(Date.now())
      chunk.setRows(
        events.map(({ uuid, event, distinct_id, timestamp, properties }) => {
          seq++
          return [
            1n,
            seq,
            toUuid(uuid),
            event,
            distinct_id,
            toTime(Date.parse(timestamp)),
            properties,
            now,
          ]
        }),
      )
      await connection.run('begin')
      const appender = await connection.createAppender('events')
      appender.appendDataChunk(chunk)
      appender.closeSync()
      await connection.run('commit')
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

const toTime = (ms: number) => new DuckDBTimestampTZValue(BigInt(ms) * 1000n)
const toUuid = (text: string) =>
  DuckDBUUIDValue.fromUint128(BigInt(`0x${text.replaceAll('-', '')}`))
