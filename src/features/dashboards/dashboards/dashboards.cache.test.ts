import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'

const FRESH = { 'cache-control': 'no-cache' }

type Person = Awaited<ReturnType<TestApp['as']>>

interface World {
  /** The path of this run's dashboards: each run has its own project. */
  readonly base: string
  readonly people: readonly Person[]
  readonly dashboards: number[]
  readonly removed: Map<number, number>
  /** The last response to each caller, by path. */
  readonly seen: Map<string, { tag: string; text: string }>
  /** Counts the compared responses of each kind. */
  readonly compared: { unchanged: number; full: number; live: number }
}

interface Step {
  readonly who: number
  readonly what: keyof typeof CHANGES
  readonly which: number
  readonly on: boolean
}

/** An admin and two members. One creates a restricted dashboard; the other can edit it and copies it. */
async function createWorld(api: TestApp, compared: World['compared']): Promise<World> {
  const project = await api.createProject()
  const base = `/api/environments/${project}/dashboards`
  const [creator, editor] = [
    await api.as({ memberOf: [project] }),
    await api.as({ memberOf: [project] }),
  ]
  const people = [await api.as({ level: 8 }), creator, editor]
  const tiles = [textTile('one'), insightTile('two', 6)]
  const first = (await creator.post(base, { name: 'first', restriction_level: 37, tiles })).body
  const invitation = { user_uuid: editor.uuid, level: 37 }
  await creator.post(`${base}/${first.id}/collaborators`, invitation)
  const second = (await editor.post(base, { name: 'b', use_dashboard: first.id })).body
  const dashboards = [first.id, second.id]
  return { base, people, dashboards, removed: new Map(), seen: new Map(), compared }
}

type ChangeOf = (client: Client, path: string, step: Step, world: World) => Promise<unknown>

const listTiles = async (client: Client, path: string): Promise<{ id: number; text: unknown }[]> =>
  (await client.get(path, FRESH)).body.tiles

async function make(client: Client, world: World, body: object): Promise<void> {
  if (world.dashboards.length >= 3) return
  const { status, body: made } = await client.post(world.base, body)
  if (status === 201) world.dashboards.push(made.id)
}

const idIn = (path: string): number => Number(path.split('/').at(-1))

const CHANGES = {
  make: (client, _, { on }, world) => make(client, world, { name: 'New', deleted: on }),
  copy: (client, path, { on }, world) =>
    make(client, world, { use_dashboard: idIn(path), duplicate_tiles: on }),
  rename: (client, path, { on }) => client.patch(path, { name: on ? 'Zoo' : 'apple' }),
  pin: (client, path, { on }) => client.patch(path, { pinned: on }),
  restrict: (client, path, { on }) => client.patch(path, { restriction_level: on ? 37 : 21 }),
  add: (client, path, { on }) =>
    client.patch(path, { tiles: [on ? textTile('more', 0, 5) : insightTile('more', 6, 5)] }),
  color: async (client, path, { on }) => {
    const [tile] = await listTiles(client, path)
    if (tile) await client.patch(path, { tiles: [{ id: tile.id, color: on ? 'red' : null }] })
  },
  write: async (client, path, { on }) => {
    const tile = (await listTiles(client, path)).find(({ text }) => text)
    const text = { body: on ? 'changed' : 'one' }
    if (tile) await client.patch(path, { tiles: [{ id: tile.id, text }] })
  },
  remove: async (client, path, _, { removed }) => {
    const tile = (await listTiles(client, path)).at(-1)
    if (tile) removed.set(idIn(path), tile.id)
    if (tile) await client.patch(path, { tiles: [{ id: tile.id, deleted: true }] })
  },
  bringBack: async (client, path, _, { removed }) => {
    const id = removed.get(idIn(path))
    if (id) await client.patch(path, { tiles: [{ id, deleted: false }] })
  },
  trash: (client, path, { on }) => client.patch(path, { deleted: true, delete_insights: on }),
  restore: (client, path) => client.patch(path, { deleted: false }),
  invite: (client, path, { who, on }, { people }) => {
    const { uuid } = people[(who + 1) % people.length] as Person
    return client.post(`${path}/collaborators`, { user_uuid: uuid, level: on ? 37 : 21 })
  },
  uninvite: (client, path, { who }, { people }) =>
    client.delete(`${path}/collaborators/${people[(who + 1) % people.length]?.uuid}`),
  share: (client, path, { on }) => client.patch(`${path}/sharing`, { enabled: on }),
  refresh: (client, path) => client.post(`${path}/sharing/refresh`),
} satisfies Record<string, ChangeOf>

const STEPS = fc.array(
  fc.record({
    who: fc.nat(2),
    what: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
    which: fc.nat(2),
    on: fc.boolean(),
  }),
  { minLength: 1, maxLength: 15 },
)

async function take(step: Step, world: World): Promise<void> {
  const id = world.dashboards[step.which % world.dashboards.length]
  const change: ChangeOf = CHANGES[step.what]
  await change(world.people[step.who] as Person, `${world.base}/${id}`, step, world)
}

/** The author of a change and another caller both read the current state, in full or as 304. */
async function checkAll(world: World, who: number, asks: 'kept' | 'changed'): Promise<void> {
  const { base, dashboards } = world
  const people = [who, who + 1].map((index) => world.people[index % 3] as Person)
  const paths = [base, `${base}?deleted=true`, ...dashboards.map((id) => `${base}/${id}`)]
  const all = people.flatMap((person) => paths.map((path) => [person, path] as const))
  await Promise.all(all.map(([person, path]) => checkOne(world, person, path, asks)))
}

async function checkOne(
  { seen, compared }: World,
  person: Person,
  path: string,
  asks: 'kept' | 'changed',
) {
  const key = `${person.userId} ${path}`
  const { tag = '', text = '' } = seen.get(key) ?? {}
  const fresh = await person.get(path, FRESH)
  const response = await person.get(path, asks === 'changed' ? { 'if-none-match': tag } : {})

  if (response.status === 304) {
    compared.unchanged += 1
    expect([response.text, text]).toEqual(['', fresh.text])
  } else {
    compared.full += 1
    expect(response.body).toEqual(fresh.body)
  }
  if (fresh.body.tiles && !fresh.body.deleted) {
    compared.live += 1
    expect(fresh.text).not.toContain('"deleted":true')
  }
  seen.set(key, { tag: response.headers.get('etag') ?? '', text: fresh.text })
}

describe('cached dashboards', () => {
  it('follow a change of rights, even if the dashboard is unchanged', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api, { restriction_level: 37 })
    const levelNow = async () => (await member.get(pathOf(id))).body.effective_privilege_level
    expect([await levelNow(), await levelNow()]).toEqual([21, 21])

    await api.patch(`/api/organizations/@current/members/${member.uuid}`, { level: 8 })

    expect(await levelNow()).toBe(37)
  })

  it('follow the rights of each caller in lists, even if no dashboard has changed', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api, { restriction_level: 37 })
    const levelFor = async (client: Client) => {
      await createDashboard(api) // or the whole list would come from the cache
      const { results } = (await client.get(DASHBOARDS)).body
      return results.find((each: { id: number }) => each.id === id).effective_privilege_level
    }
    for (let times = 0; times < 2; times++) {
      expect([await levelFor(api), await levelFor(member)]).toEqual([37, 21])
    }

    await api.patch(`/api/organizations/@current/members/${member.uuid}`, { level: 8 })

    expect(await levelFor(member)).toBe(37)
  })

  it('are never stale for any caller after any change', async () => {
    const api = await useApp()
    const compared = { unchanged: 0, full: 0, live: 0 }

    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const world = await createWorld(api, compared)
        await checkAll(world, 0, 'kept')
        for (const [index, step] of steps.entries()) {
          await take(step, world)
          await checkAll(world, step.who, index % 2 === 0 ? 'kept' : 'changed')
        }
      }),
      numRuns(30),
    )

    for (const count of Object.values(compared)) expect(count).toBeGreaterThan(0)
  })

  it('are not sent again to a client that has them', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)

    for (const path of [DASHBOARDS, pathOf(id)]) {
      const tag = (await api.get(path)).headers.get('etag') ?? ''
      for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
        const { status, text, headers } = await api.get(path, { 'if-none-match': known })

        expect([status, text, headers.get('etag')]).toEqual([304, '', tag])
      }
      expect((await api.get(path, { 'if-none-match': '"x"' })).status).toBe(200)
    }
  })

  it.each([
    ['the dashboard', { name: 'b' }, ''],
    ['its tiles', { tiles: [textTile('one')] }, ''],
    ['its trash', { deleted: true }, ''],
    ['its link', { enabled: true }, '/sharing'],
  ])('are sent again after a change of %s', async (_, patch, part) => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'a' })
    const tag = (await api.get(pathOf(id))).headers.get('etag') ?? ''
    const ofList = (await api.get(DASHBOARDS)).headers.get('etag') ?? ''

    await api.patch(pathOf(id, part), patch)

    expect((await api.get(pathOf(id), { 'if-none-match': tag })).status).toBe(200)
    expect((await api.get(DASHBOARDS, { 'if-none-match': ofList })).status).toBe(200)
  })

  it('differ by caller', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api, { restriction_level: 37 })
    const readLevel = async (client: Client, headers = {}) =>
      (await client.get(pathOf(id), headers)).body.effective_privilege_level
    const tag = (await api.get(pathOf(id))).headers.get('etag') ?? ''

    const levels = [await readLevel(api), await readLevel(member), await readLevel(api)]

    expect(levels).toEqual([37, 21, 37])
    expect((await member.get(pathOf(id), { 'if-none-match': tag })).status).toBe(200)
  })

  it('differ by the host of the request', async () => {
    const api = await useApp()
    await createDashboard(api)
    await createDashboard(api)
    const headers = { authorization: `Bearer ${OWNER.apiKey}` }
    const nextAt = async (host: string) => {
      const url = api.path(`${DASHBOARDS}?limit=1`)
      return (await api.app.inject({ url, headers: { ...headers, host } })).json().next
    }

    const links = [
      await nextAt('a.example'),
      await nextAt('b.example:81'),
      await nextAt('a.example'),
    ]

    const rest = api.path(`${DASHBOARDS}?limit=1&offset=1`)
    expect(links).toEqual([
      `http://a.example${rest}`,
      `http://b.example:81${rest}`,
      `http://a.example${rest}`,
    ])
  })

  it.each(['*/*', 'application/json', 'text/html, */*;q=0.1'])(
    'have a body after a HEAD request with Accept: %s',
    async (accept) => {
      const api = await useApp()
      const { id } = await createDashboard(api)
      const head = await api.request('HEAD', pathOf(id), undefined, { accept })

      const { status, body } = await api.get(pathOf(id), { accept })

      expect([head.status, head.text]).toEqual([200, ''])
      expect([status, body.id]).toEqual([200, id])
    },
  )

  it('are not sent to callers who lost access', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api)
    const tag = (await member.get(pathOf(id))).headers.get('etag') ?? ''

    await api.db.deleteFrom('project_members').where('user_id', '=', member.userId).execute()
    await api.createProject() // invalidates cached rights

    expect((await member.get(pathOf(id))).status).toBe(403)
    expect((await member.get(pathOf(id), { 'if-none-match': tag })).status).toBe(403)
  })
})
