import { describe, expect, it } from 'vitest'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { runHedgerow, type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'

const DASHBOARDS = 'dashboards'

describe('several processes at once', () => {
  it('start on one empty PostgreSQL database, which one of them sets up', async () => {
    const options = await emptyStorage('postgres')
    const env = toEnv(options)

    const servers = await Promise.all([1, 2, 3].map(() => startServer(env)))

    const welcomes = servers.filter((server) => server.stdout().includes('First start'))
    expect(welcomes).toHaveLength(1)
    expect(await countAll(options)).toEqual({
      organizations: 1,
      users: 1,
      projects: 1,
      api_keys: 1,
    })
    const [key = ''] = welcomes[0]?.stdout().match(/phx_\w+/) ?? []
    for (const server of servers) {
      expect((await server.call(key, '/api/projects')).status).toBe(200)
    }
  })

  it('migrate one empty SQLite folder, which one of them sets up', async () => {
    const env = toEnv(await emptyStorage('sqlite'))

    const runs = await Promise.all([1, 2].map(() => runHedgerow(['migrate', '--json'], env)))

    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(runs.map(({ json }) => json.applied.length > 0).toSorted()).toEqual([false, true])
  })
})

describe.each(['sqlite', 'postgres'] as const)('a server on %s that is killed', (database) => {
  it('keeps every acknowledged change', async () => {
    const env = toEnv(await storageOptions(database))
    const server = await startServer(env)

    const made = await createUntilKilled(server, 100)

    const again = await startServer(env)
    const { body } = await again.call(OWNER.apiKey, `${DASHBOARDS}?limit=1000`)
    const kept = new Set(body.results.map(({ id }: { id: number }) => id))
    expect(made.length).toBeGreaterThanOrEqual(100)
    expect(made.filter((id) => !kept.has(id))).toEqual([])
    const doctor = await runHedgerow(['doctor', '--json'], { ...env, HEDGEROW_PORT: '0' })
    expect(doctor.json).toMatchObject({ ok: true })
  })
})

/** Sends from four clients until `count` requests are acknowledged. The kill then interrupts the others. */
async function createUntilKilled(server: Server, acknowledged: number): Promise<number[]> {
  const made: number[] = []
  const create = async () => {
    for (;;) {
      const { status, body } = await server.call(OWNER.apiKey, DASHBOARDS, 'POST', { name: 'x' })
      expect(status).toBe(201)
      made.push(body.id)
      if (made.length === acknowledged) await server.stop('SIGKILL')
    }
  }
  const isCut = (error: unknown) =>
    expect(error).toMatchObject({ message: /fetch failed|terminated/ })
  await Promise.all([1, 2, 3, 4].map(() => create().catch(isCut)))
  return made
}

async function countAll(options: StorageOptions) {
  const { db, close } = await openStorage(options)
  const count = async (table: 'organizations' | 'users' | 'projects' | 'api_keys') =>
    (await db.selectFrom(table).selectAll().execute()).length
  const counts = {
    organizations: await count('organizations'),
    users: await count('users'),
    projects: await count('projects'),
    api_keys: await count('api_keys'),
  }
  await close()
  return counts
}
