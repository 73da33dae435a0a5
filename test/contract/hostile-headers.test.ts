import fc from 'fast-check'
import { describe, it } from 'vitest'
import { numRuns } from '../support/vitest/effort.ts'
import { headers } from './hostile.ts'
import { AUTHORIZED, createChecker, requireAlive, start } from './hostile-requests.ts'
import { fillPath } from './world.ts'

describe('hostile headers', () => {
  it('cause no server error and no change', async () => {
    const { api, world, targets } = await start()
    const check = createChecker(api)

    for (const { method, path } of targets) {
      await fc.assert(
        fc.asyncProperty(headers, (sent) =>
          check({ method, path: fillPath(path, world), headers: { ...AUTHORIZED, ...sent } }),
        ),
        numRuns(5, 1),
      )
    }

    await requireAlive(api)
  })
})
