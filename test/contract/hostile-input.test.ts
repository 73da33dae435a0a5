import fc from 'fast-check'
import { describe, it } from 'vitest'
import { numRuns } from '../support/vitest/effort.ts'
import { bodyText, nearlyValidBody, queryOf, segment, type Target } from './hostile.ts'
import { AUTHORIZED, createChecker, either, requireAlive, start } from './hostile-requests.ts'
import { fillPath, type World } from './world.ts'

const JSON_BODY = { ...AUTHORIZED, 'content-type': 'application/json', accept: 'application/json' }

const knownOf = ({ config, dashboard, colleague, newcomer, projectToken }: World) => ({
  ids: [1, 2, 3, config, dashboard, 21, 37, 987654],
  words: [
    ...['a', 'DEFAULT_APP', colleague, newcomer, 'url', 'headers', 'format', 'from_start'],
    ...['INSIGHT', 'TEXT', 'kind', 'https://example.com', projectToken],
  ],
})

describe('hostile input', () => {
  it('in a body is either accepted or refused without changing anything', async () => {
    const { api, world, targets, schemas } = await start()
    const check = createChecker(api)

    const attack = async (target: Target) => {
      const body = nearlyValidBody(target, schemas, knownOf(world))
      await fc.assert(
        fc.asyncProperty(either(target.path), bodyText(body), async (path, sent) => {
          const asked = fillPath(path, world)
          await check({ method: target.method, path: asked, headers: JSON_BODY, body: sent })
        }),
        numRuns(15, 2),
      )
    }
    for (const target of targets.filter(({ operation }) => operation.requestBody)) {
      await attack(target)
    }

    await requireAlive(api)
  })

  it('in a path is not found', async () => {
    const { api, world, targets } = await start()
    const check = createChecker(api)

    for (const { method, path } of targets.filter(({ path }) => path.includes('{'))) {
      const parts = path.split('/').map((part) => {
        if (!part.startsWith('{')) return fc.constant(part)
        const real = part === '{project_id}' ? ['1', '1', '@current'] : [fillPath(part, world)]
        return segment(real)
      })
      await fc.assert(
        fc.asyncProperty(fc.tuple(...parts), (filled) =>
          check({ method, path: filled.join('/'), headers: AUTHORIZED }),
        ),
        numRuns(5, 1),
      )
    }

    await requireAlive(api)
  })

  it('in a query is refused or ignored', async () => {
    const { api, world, targets } = await start()
    const check = createChecker(api)

    for (const target of targets.filter(({ method }) => method === 'GET')) {
      const takesQuery = target.operation.parameters?.some((parameter) => parameter.in === 'query')
      await fc.assert(
        fc.asyncProperty(either(target.path), queryOf(target), (address, asked) => {
          const path = `${fillPath(address, world)}?${asked}`
          return check({ method: 'GET', path, headers: JSON_BODY })
        }),
        takesQuery ? numRuns(25, 2) : numRuns(3, 1),
      )
    }

    await requireAlive(api)
  })
})
