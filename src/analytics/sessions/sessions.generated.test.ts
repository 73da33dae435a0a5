import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visitEvents } from '../../../test/reference/generate-visits.ts'
import { expectSessions } from '../../../test/reference/sessions.ts'
import { startStores } from '../../../test/support/data/queries.ts'
import { numRuns } from '../../../test/support/vitest/effort.ts'
import { compileSql } from '../queries/sql/compile.ts'

it('the sessions of generated visits equal those of a naive division', async () => {
  const stores = await startStores()
  let projectId = 1

  await fc.assert(
    fc.asyncProperty(visitEvents, async (events) => {
      projectId++
      await stores.add(events, projectId)
      const expected = expectSessions(events)
      const columns = Object.keys(expected[0] ?? { session_id: '' })
      const text = `select ${columns.join(', ')} from sessions order by session_id`

      const plan = await compileSql(text, { zone: 'UTC' })
      const { results } = await stores.run(plan, projectId)

      expect(results).toEqual(expected.map((session) => Object.values(session)))
    }),
    numRuns(90, 10),
  )
}, 600_000)
