import { expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { newEvent, startEventStore } from '../../../test/support/data/events.ts'
import { openParquetReader, type PortableRow } from '../parquet/reader.ts'
import { columnsOf, MAX_PART_BYTES, type Part } from '../portable-tables.ts'

it('reads large properties, and cuts parts by their size', async () => {
  const { events, options } = await startEventStore('postgres')
  const months = ['2026-01', '2026-02']
  const sent = Array.from({ length: 20 }, (_, at) =>
    newEvent({
      timestamp: `${months[at % 2]}-03T00:00:00.${`${at}`.padStart(3, '0')}Z`,
      properties: JSON.stringify(at % 5 === 4 ? { at } : { at, text: `${at}`.repeat(900_000) }),
    }),
  )
  for (const event of sent) await events.append(1, [event])
  const { db, close } = await openStorage(options)
  onTestFinished(close)
  const reader = await openParquetReader()
  onTestFinished(reader.close)
  const folder = await temporaryFolder()

  const parts: Part[] = []
  await db.transaction().execute(async (tx) => {
    const { nextPart } = await events.openSnapshot({ tx, folder, lastProjectId: 1 })
    for (let part = await nextPart('events'); part; part = await nextPart('events')) {
      parts.push(part)
    }
  })

  const rows: PortableRow[] = []
  for (const { path } of parts) {
    for await (const some of reader.read('events', path)) rows.push(...some)
  }
  const total = sent.reduce((sum, { properties }) => sum + properties.length, 0)
  expect(parts).toHaveLength(Math.ceil(total / MAX_PART_BYTES))
  const [properties, whole] = ['properties', 'whole'].map((name) =>
    columnsOf('events').indexOf(name),
  )
  const stored = rows.map((row) => row[whole as number] ?? row[properties as number])
  expect(stored).toEqual(sent.map((event) => event.properties))
})
