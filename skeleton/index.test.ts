import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobs, runEveryHour } from './index.ts'

/** The part of Hedgerow that this app uses. `answers` holds GitHub's responses by URL. */
function start(config: object, answers: Record<string, unknown>) {
  const stored = new Map<string, unknown>()
  const events: unknown[] = []
  const progress: unknown[] = []
  Object.assign(globalThis, {
    posthog: {
      capture: (event: string, properties: object) => events.push({ event, ...properties }),
    },
    fetch: async (url: string) =>
      url in answers ? Response.json(answers[url]) : new Response('', { status: 404 }),
  })
  const meta = {
    config,
    storage: {
      get: async (key: string, byDefault: unknown) => stored.get(key) ?? byDefault,
      set: async (key: string, value: unknown) => stored.set(key, value),
    },
    utils: { progress: (...told: unknown[]) => progress.push(told) },
  } as unknown as Parameters<typeof runEveryHour>[0]
  return { meta, events, progress }
}

const repository = (name: string) => `https://api.github.com/repos/${name}`

test('counts the stars of each repository, and how many are new', async () => {
  const answers = { [repository('a/b')]: { stargazers_count: 5 } }
  const { meta, events } = start({ repositories: 'a/b' }, answers)

  await runEveryHour(meta)
  answers[repository('a/b')] = { stargazers_count: 7 }
  await runEveryHour(meta)

  assert.deepEqual(events, [
    { event: 'stars counted', distinct_id: 'a/b', stars: 5, gained: 0 },
    { event: 'stars counted', distinct_id: 'a/b', stars: 7, gained: 2 },
  ])
})

test('counts other repositories when asked to, and tells how far it is', async () => {
  const answers = { [repository('c/d')]: { stargazers_count: 1 } }
  const { meta, events, progress } = start({ repositories: 'a/b' }, answers)

  await jobs['Import now']({ repositories: ' c/d ,' }, meta)

  assert.equal(events.length, 1)
  assert.deepEqual(progress, [
    [0, 1, 'Counting c/d'],
    [1, 1, 'Done'],
  ])
})

test('says which repository GitHub does not know', async () => {
  const { meta } = start({ repositories: 'no/where' }, {})

  await assert.rejects(runEveryHour(meta), /GitHub answered 404 for no\/where/)
})
