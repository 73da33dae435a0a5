import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import type { GivenType, GivenValue, SqlRunner } from '../derive/sql/runner.ts'
import { takeNumbers } from './sequence.ts'

const ARRAY_TYPES: Readonly<Record<GivenType, string>> = {
  bigint: 'bigint',
  integer: 'integer',
  boolean: 'boolean',
  text: 'text',
  json: 'jsonb',
  time: 'timestamptz',
}

const toValue = (type: GivenType, value: GivenValue): GivenValue =>
  type === 'time' ? new Date(value as number).toISOString() : value

export const toRunner = (tx: Tx): SqlRunner => ({
  run: async <Row>(statement: Parameters<SqlRunner['run']>[0]) =>
    (await (statement as RawBuilder<Row>).execute(tx)).rows,
  async given(name, columns, rows) {
    const arrays = Object.values(columns).map((type, index) => {
      const values = rows.map((row) => toValue(type, row[index] as GivenValue))
      return sql`${values}::${sql.raw(ARRAY_TYPES[type])}[]`
    })
    return sql`unnest(${sql.join(arrays)}) as ${sql.raw(`${name} (${Object.keys(columns).join()})`)}`
  },
  toMilliseconds: (time) => sql`(extract(epoch from ${time}) * 1000)::double precision`,
  propertyText: (properties, key) => sql`jsonb_extract_path_text(${properties}, ${key}::text)`,
  takeNumbers: async (count) => (await takeNumbers(tx, count)).numbers,
  edits: { seq: sql.raw('seq'), position: sql`0` },
})
