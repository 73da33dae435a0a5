import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectGroups, findGroups } from '../../test/reference/find-groups.ts'
import { expectPersons, findPersons } from '../../test/reference/find-persons.ts'
import { rounds } from '../../test/reference/visitors.ts'
import { DATABASES } from '../../test/support/app/storage.ts'
import { startEventStore } from '../../test/support/data/events.ts'
import { numRuns } from '../../test/support/vitest/effort.ts'

/** The projects of one case, which store events concurrently. */
const PROJECTS = [0, 1, 2, 3]

describe.each(DATABASES)('generated visitors on %s', (database) => {
  it('become the persons and groups that applying their events in order gives', async () => {
    const store = await startEventStore(database)
    let { events } = store
    let first = 1

    await fc.assert(
      fc.asyncProperty(rounds(PROJECTS.length), async (generated) => {
        first += PROJECTS.length

        for (const { batches, next } of generated) {
          await Promise.all(batches.map((batch, n) => events.append(first + n, batch)))
          if (next === 'read') await events.count(first)
          if (next === 'reopen') events = await store.reopen()
        }

        for (const n of PROJECTS) {
          const log = generated.flatMap(({ batches }) => batches[n] ?? [])
          expect(await findPersons(events, first + n)).toEqual(expectPersons(log))
          expect(await findGroups(events, first + n)).toEqual(expectGroups(log))
        }
      }),
      numRuns(150, 6),
    )
  }, 600_000)
})
