import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireValidAnswer } from '../answers.ts'
import { startApp, type TestApp } from '../app.ts'
import { numRuns } from '../effort.ts'
import { OWNER } from '../owner.ts'
import {
  bodyText,
  headers,
  nearlyValidBody,
  queryOf,
  segment,
  type Target,
  targetsOf,
} from './hostile.ts'
import { type RawRequest, send } from './raw.ts'
import { type Snapshot, snapshotOf } from './snapshot.ts'
import { createWorld, fillPath, toAlias, type World } from './world.ts'

const AUTHORIZED = { authorization: `Bearer ${OWNER.apiKey}` }
const JSON_BODY = { ...AUTHORIZED, 'content-type': 'application/json', accept: 'application/json' }

async function start() {
  const api = await startApp()
  const world = await createWorld(api)
  const document = api.app.openApiDocument()
  return { api, world, targets: targetsOf(document), schemas: document.components.schemas }
}

/**
 * Sends each request, and holds every answer against the contract: it is described, it is no 5xx, and if it refuses
 * then nothing has changed.
 */
function holder(api: TestApp) {
  let before: Snapshot | undefined
  return async (request: RawRequest) => {
    before ??= await snapshotOf(api.db)
    const answer = await send(api.url, request)
    const isJson = String(answer.headers['content-type']).includes('json') && answer.text !== ''
    const body = isJson ? JSON.parse(answer.text) : undefined
    expect(answer.status, answer.text).toBeLessThan(500)
    requireValidAnswer(api.app, request.method, request.path, { ...answer, body })
    if (answer.status < 400) before = undefined
    else expect(await snapshotOf(api.db)).toEqual(before)
  }
}

const either = (path: string) =>
  path.includes('{project_id}') ? fc.constantFrom(path, toAlias(path)) : fc.constant(path)

async function requireAlive({ url, get }: TestApp) {
  expect((await send(url, { method: 'GET', path: '/_ready' })).status).toBe(200)
  expect((await get('/api/environments/1/dashboards')).status).toBe(200)
}

const knownOf = ({ config, dashboard, colleague, newcomer, projectToken }: World) => ({
  ids: [1, 2, 3, config, dashboard, 21, 37, 987654],
  words: [
    ...['a', 'DEFAULT_APP', colleague, newcomer, 'url', 'headers', 'format', 'from_start'],
    ...['INSIGHT', 'TEXT', 'kind', 'https://example.com', projectToken],
  ],
})

describe('hostile input', () => {
  it('in a body is refused without a trace, or taken', async () => {
    const { api, world, targets, schemas } = await start()
    const hold = holder(api)

    const attack = async (target: Target) => {
      const body = nearlyValidBody(target, schemas, knownOf(world))
      await fc.assert(
        fc.asyncProperty(either(target.path), bodyText(body), async (path, sent) => {
          const asked = fillPath(path, world)
          await hold({ method: target.method, path: asked, headers: JSON_BODY, body: sent })
        }),
        numRuns(25, 4),
      )
    }
    for (const target of targets.filter(({ operation }) => operation.requestBody)) {
      await attack(target)
    }

    await requireAlive(api)
  })

  it('in a path finds nothing', async () => {
    const { api, world, targets } = await start()
    const hold = holder(api)

    for (const { method, path } of targets.filter(({ path }) => path.includes('{'))) {
      const parts = path.split('/').map((part) => {
        if (!part.startsWith('{')) return fc.constant(part)
        const real = part === '{project_id}' ? ['1', '1', '@current'] : [fillPath(part, world)]
        return segment(real)
      })
      await fc.assert(
        fc.asyncProperty(fc.tuple(...parts), (filled) =>
          hold({ method, path: filled.join('/'), headers: AUTHORIZED }),
        ),
        numRuns(8, 2),
      )
    }

    await requireAlive(api)
  })

  it('in a query is refused, or ignored', async () => {
    const { api, world, targets } = await start()
    const hold = holder(api)

    for (const target of targets.filter(({ method }) => method === 'GET')) {
      const takesQuery = target.operation.parameters?.some((parameter) => parameter.in === 'query')
      await fc.assert(
        fc.asyncProperty(either(target.path), queryOf(target), (address, asked) => {
          const path = `${fillPath(address, world)}?${asked}`
          return hold({ method: 'GET', path, headers: JSON_BODY })
        }),
        takesQuery ? numRuns(40, 6) : numRuns(4, 1),
      )
    }

    await requireAlive(api)
  })

  it('in headers does no harm', async () => {
    const { api, world, targets } = await start()
    const hold = holder(api)

    for (const { method, path } of targets) {
      await fc.assert(
        fc.asyncProperty(headers, (sent) =>
          hold({ method, path: fillPath(path, world), headers: { ...AUTHORIZED, ...sent } }),
        ),
        numRuns(8, 2),
      )
    }

    await requireAlive(api)
  })
})
