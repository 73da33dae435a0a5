import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newEvent, startEventStore } from '../../../test/support/data/events.ts'

it('cancels running queries and refuses new ones when the store is closed', async () => {
  const { events } = await startEventStore('sqlite')
  await events.append(1, [newEvent()])
  const count = (rows: number) =>
    events.query(1, {
      properties: [],
      toSql: (table) =>
        sql`select sum(a.range * b.range) as sum from range(${sql.lit(rows)}) a, range(1000000) b, ${table.rows} e`,
    })
  expect(await count(1)).toHaveLength(1)
  // more than run at a time, and each would take minutes
  const asked = [1, 2, 3, 4, 5].map(() => count(1_000_000).catch(({ message }) => message))

  await events.close()

  expect(await Promise.all(asked)).toEqual(Array(5).fill('The event store is closed.'))
  await expect(count(1)).rejects.toThrow('closed')
})
