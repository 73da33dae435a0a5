import { expect, it } from 'vitest'
import { ALL, newEvent, startEventStore } from '../support/data/events.ts'

/** Asks for the version of a project while its first event is being stored. Results are cached by this version. */
async function readDuringAppend(turns: number): Promise<void> {
  const { events } = await startEventStore('sqlite')
  const opening = events.list(1, ALL)
  const appending = events.append(2, [newEvent()])
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
  const version = await events.version(2)
  const count = await events.count(2)
  await Promise.all([opening, appending])
  if (version === (await events.version(2))) expect(count).toBe(1)
  await events.close()
}

it('never gives a project the version of events that readers do not see yet', async () => {
  for (let round = 0; round < 80; round++) {
    await Promise.all([0, 1, 2, 3, 4].map(readDuringAppend))
  }
})
