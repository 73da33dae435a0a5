import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { DATABASES } from '../../test/support/app/storage.ts'
import { ALL, newEvent, startEventStore } from '../../test/support/data/events.ts'
import { openStorage } from '../db/open.ts'
import { openEventsFile } from './duckdb/file.ts'
import { isLarge, toSearchable } from './full-properties.ts'
import { findInstallation, type Installation } from './installation.ts'

const large = (plan: string, size = 100_000) =>
  newEvent({ properties: JSON.stringify({ plan, note: `😀${'ü'.repeat(size)}` }) })

describe('searchable part of large properties', () => {
  const seen = (properties: object) => JSON.parse(toSearchable(JSON.stringify(properties)))

  it('keeps short values, truncates long texts and drops long lists', () => {
    const properties = { a: 1, text: 'x'.repeat(9000), list: Array(9000).fill(1), b: { c: null } }

    expect(isLarge(JSON.stringify(properties))).toBe(true)
    expect(seen(properties)).toEqual({ a: 1, text: 'x'.repeat(1024), b: { c: null } })
  })

  it('is limited in size', () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`key ${at}`, at]))

    expect(isLarge(JSON.stringify(many))).toBe(true)
    expect(seen(many)).toMatchObject({ 'key 0': 0, 'key 100': 100 })
    expect(toSearchable(JSON.stringify(many)).length).toBeLessThan(20_000)
  })

  it('keeps identity keys, and marks changes of a person that are too large', () => {
    const filler = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`key ${at}`, at]))
    const $set = { note: 'x'.repeat(3000) }
    const $set_once = { note: 'x'.repeat(5000) }

    const kept = seen({ ...filler, $anon_distinct_id: 'a', $set, $set_once, alias: $set_once })

    expect(kept).toMatchObject({ $anon_distinct_id: 'a', $set, $set_once: '$too_large' })
    expect(kept).not.toHaveProperty('alias')
  })

  it('is well-formed where a surrogate pair is cut', () => {
    expect(seen({ text: `x${'😀'.repeat(9000)}` }).text.isWellFormed()).toBe(true)
  })
})

describe.each(DATABASES)('large events, on %s', (database) => {
  it('are stored, listed in full and queried by the hundred', async () => {
    const { events } = await startEventStore(database)
    const sent = Array.from({ length: 600 }, (_, at) => large(`plan ${at % 2}`))
    for (let from = 0; from < sent.length; from += 100) {
      await events.append(1, sent.slice(from, from + 100))
    }

    expect(await events.count(1)).toBe(600)
    const toSql = (table: Parameters<Parameters<typeof events.query>[1]['toSql']>[0]) =>
      sql`select count(*) as number from ${table.rows} e where ${table.property('plan')} = 'plan 1'`
    expect(await events.query(1, { properties: ['plan'], toSql })).toEqual([{ number: 300 }])
    const [first] = await events.list(1, { ...ALL, limit: 1 })
    const original = sent.find(({ uuid }) => uuid === first?.uuid)
    expect(JSON.parse(first?.properties ?? '')).toEqual(JSON.parse(original?.properties ?? ''))
  })
})

describe('full copy of large properties', () => {
  it('is deleted with its event and with a duplicate', async () => {
    const { events, options } = await startEventStore('sqlite')
    const event = large('pro')
    await events.append(1, [event, large('free')])
    await events.append(1, [event])
    expect(await events.count(1)).toBe(2)
    expect(await events.deletePerson(1, event.distinct_id)).toBe(2)
    await events.close()

    const { db, close } = await openStorage(options)
    const installation = (await findInstallation(db)) as Installation
    await close()
    const file = await openEventsFile(options.dataFolder, installation)
    const left = await file.changes.runAndReadAll('select count(*)::integer from whole_properties')
    await file.close()
    expect(left.getRows()).toEqual([[0]])
  })
})
