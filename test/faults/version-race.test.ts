import { expect, it } from 'vitest'
import { ALL, newEvent, startEventStore } from '../support/data/events.ts'

/**
 * Asks for the version of a project while its first event is being stored. Results are cached by this version. Returns
 * whether the version was already that of the event.
 */
async function readDuringAppend(turns: number): Promise<boolean> {
  const { events } = await startEventStore('sqlite')
  const opening = events.list(1, ALL)
  const appending = events.append(2, [newEvent()])
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
  const version = await events.version(2)
  const count = await events.count(2)
  await Promise.all([opening, appending])
  const isNew = version === (await events.version(2))
  if (isNew) expect(count).toBe(1)
  await events.close()
  return isNew
}

it('never gives a project the version of events that readers do not see yet', async () => {
  let compared = 0
  for (let round = 0; round < 80; round++) {
    const areNew = await Promise.all([0, 1, 2, 3, 4].map(readDuringAppend))
    compared += areNew.filter(Boolean).length
  }

  expect(compared).toBeGreaterThan(0)
})
