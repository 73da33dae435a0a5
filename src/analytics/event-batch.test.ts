import { describe, expect, it } from 'vitest'
import { newEvent } from '../../test/support/data/events.ts'
import {
  type EventBatch,
  mergeBatches,
  packEvents,
  toBatch,
  toChunks,
  unpackBatch,
} from './event-batch.ts'
import { toEventRow } from './event-row.ts'

const newRows = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    toEventRow(1, newEvent({ properties: JSON.stringify({ index }) })),
  )

describe('batches of events', () => {
  it('keeps the order of events, and gives packed ones their project', () => {
    const [first, second] = [newRows(1500), newRows(1000)]
    const merged = mergeBatches([toBatch(7, first), unpackBatch(8, [packEvents(second)])])

    const chunks = [...toChunks(merged)]

    expect(chunks.map((chunk) => chunk.length)).toEqual([2048, 452])
    expect(chunks.flat().map(({ uuid }) => uuid)).toEqual(
      [...first, ...second].map(({ uuid }) => uuid),
    )
    expect(merged).toMatchObject({ count: 2500, projectIds: [7, 8] })
    expect(chunks.flat().at(-1)?.projectId).toBe(8)
  })

  // the data that V8 keeps of a generator function hangs on the prototype of its generators
  it.each([
    ['merged', () => mergeBatches([toBatch(1, newRows(1))])],
    ['packed', () => unpackBatch(1, [packEvents(newRows(1))])],
  ])('reads all %s batches with one generator function', (_, create) => {
    const prototypeOf = (batch: EventBatch) => Object.getPrototypeOf(batch.slices())

    expect(prototypeOf(create())).toBe(prototypeOf(create()))
  })
})
