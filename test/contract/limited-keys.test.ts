import { describe, expect, it } from 'vitest'
import { generateApiKey, insertApiKey } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import { now } from '#server/db/values.ts'
import type { TestApp } from '../support/app/app.ts'
import { isChange, nameOf, start } from './walk.ts'
import { fillPath } from './world.ts'

/** A number that occurs nowhere else in a response. */
const HIDDEN_ID = 918_273_645

/** Creates a project and returns texts that would reveal it in a response. */
async function createHiddenProject(api: TestApp): Promise<string[]> {
  const id = await api.createProject('Project Nightingale')
  await changeAccess(api.db, (tx) =>
    tx.updateTable('projects').set({ id: HIDDEN_ID }).where('id', '=', id).execute(),
  )
  const { body } = await api.get(api.path('', HIDDEN_ID))
  await api.post(api.path('dashboards', HIDDEN_ID), { name: 'Nightingale sales' })
  return [String(HIDDEN_ID), body.uuid, body.api_token, 'Nightingale']
}

/** Creates an owner's key that is limited to the test's project, while the hidden one is the owner's current project. */
async function createLimitedOwner(api: TestApp) {
  const memberOf = [HIDDEN_ID, api.projectId]
  const owner = await api.as({ level: 15, memberOf, projects: [api.projectId] })
  await changeAccess(api.db, async (tx) => {
    for (const projects of [[HIDDEN_ID], undefined]) {
      await insertApiKey(tx, {
        userId: owner.userId,
        label: 'Another',
        scopes: ['*'],
        projects,
        expiresAt: undefined,
        value: generateApiKey(),
      })
    }
    const project_id = HIDDEN_ID
    await tx
      .insertInto('project_members')
      .values({ project_id, user_id: 1, added_at: now() })
      .execute()
  })
  return owner
}

describe('a key limited to a project', () => {
  it('sees no trace of another project in any response', async () => {
    const { api, world, routes } = await start()
    const marks = await createHiddenProject(api)
    const limited = await createLimitedOwner(api)
    const reads = routes.filter((route) => !isChange(route) && route.method === 'GET')
    const paths = reads.flatMap((route) => {
      const path = fillPath(route.url, world)
      const current = path.replace(`/${world.project}/`, '/@current/')
      return [path, ...(current === path ? [] : [current])].map((each) => [nameOf(route), each])
    })

    const leaks: string[] = []
    const statuses = new Set<number>()
    for (const [name, path] of paths as [string, string][]) {
      const { status, text, headers } = await limited.get(path, { accept: 'application/json' })
      const all = text + JSON.stringify([...headers])
      statuses.add(status)
      for (const mark of marks) if (all.includes(mark)) leaks.push(`${name}: ${mark}`)
    }

    expect(leaks).toEqual([])
    expect(paths.length).toBeGreaterThan(100)
    expect(statuses).toContain(200)
    const { body } = await limited.get('/api/users/@me')
    expect(body.team.id).toBe(api.projectId)
  })

  it('cannot probe for other projects by limiting a key to them', async () => {
    const { api } = await start()
    await createHiddenProject(api)
    const limited = await createLimitedOwner(api)
    const create = (project: number) =>
      limited.post('/api/personal_api_keys', {
        label: 'New',
        scopes: ['*'],
        scoped_teams: [project],
      })

    const [hidden, missing] = [await create(HIDDEN_ID), await create(HIDDEN_ID + 1)]

    expect(hidden).toMatchObject({ status: 403, body: missing.body })
    expect((await create(api.projectId)).status).toBe(201)
  })

  it('shows every project to an unlimited owner', async () => {
    const { api } = await start()
    const marks = await createHiddenProject(api)

    const { text } = await api.get('/api/projects')

    for (const mark of marks) expect(text).toContain(mark)
  })
})
