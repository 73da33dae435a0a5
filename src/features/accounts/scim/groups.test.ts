import { describe, expect, it } from 'vitest'
import type { Client } from '../../../../test/support/app/app.ts'
import { filterOf, patchOf, startScim } from '../../../../test/support/data/scim.ts'

const GROUPS = 'Analysts=member:1; Leads=admin; Board=owner'

const memberOf = async (api: Client, email: string) => {
  const path = `/api/organizations/@current/members?search=${encodeURIComponent(email)}`
  const { level, projects } = (await api.get(path)).body.results[0]
  return { level, projects }
}

async function start() {
  const { api, send } = await startScim({ HEDGEROW_SIGN_IN_GROUPS: GROUPS })
  const [ada, bob] = [await api.as({ memberOf: [] }), await api.as({ memberOf: [] })]
  const create = async (displayName: string, ...users: { uuid: string }[]) => {
    const members = users.map(({ uuid }) => ({ value: uuid }))
    return (await send('POST', '/Groups', { displayName, externalId: 'g-1', members })).body
  }
  const idsIn = async (id: string) =>
    (await send('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value)
  return { api, send, ada, bob, create, idsIn }
}

describe('SCIM groups', { tags: 'sql' }, () => {
  it('are created, read back, found and listed without members', async () => {
    const { send, ada, create } = await start()

    const created = await create('Analysts', ada)

    expect(created).toMatchObject({
      displayName: 'Analysts',
      externalId: 'g-1',
      members: [{ value: ada.uuid, display: ada.email }],
    })
    expect((await send('GET', `/Groups/${created.id}`)).body).toEqual(created)
    const filter = filterOf('displayName eq "Analysts"')
    const { body } = await send('GET', `/Groups?${filter}&excludedAttributes=members`)
    const { members: _, ...rest } = created
    expect(body).toMatchObject({ totalResults: 1, Resources: [rest] })
    expect(body.Resources[0].members).toBeUndefined()
    expect((await send('GET', `/Groups?${filterOf('displayName eq "x"')}`)).body.totalResults).toBe(
      0,
    )
  })

  it('give levels and projects to their members, and take them away', async () => {
    const { api, send, ada, create } = await start()
    const analysts = await create('Analysts', ada)
    expect(await memberOf(api, ada.email)).toEqual({ level: 1, projects: [1] })
    const leads = await create('Leads', ada)
    expect((await memberOf(api, ada.email)).level).toBe(8)

    const renamed = patchOf({ op: 'replace', path: 'displayName', value: 'Others' })
    await send('PATCH', `/Groups/${leads.id}`, renamed)
    expect(await memberOf(api, ada.email)).toEqual({ level: 1, projects: [1] })
    await send('DELETE', `/Groups/${analysts.id}`)

    expect(await memberOf(api, ada.email)).toEqual({ level: 1, projects: [] })
    expect((await send('GET', `/Groups/${analysts.id}`)).status).toBe(404)
  })

  it('change members in the styles of Entra and Okta', async () => {
    const { api, send, ada, bob, create, idsIn } = await start()
    const { id } = await create('Leads')
    const values = (...users: { uuid: string }[]) => users.map(({ uuid }) => ({ value: uuid }))
    const seen: string[][] = []

    for (const operation of [
      { op: 'Add', path: 'members', value: values(ada) },
      { op: 'add', path: 'members', value: values(ada, bob) },
      { op: 'remove', path: `members[value eq "${ada.uuid}"]` },
      { op: 'Remove', path: 'members', value: values(bob) },
      { op: 'replace', value: { id, displayName: 'Leads', members: values(ada) } },
      { op: 'remove', path: 'members' },
    ]) {
      const { status } = await send('PATCH', `/Groups/${id}`, patchOf(operation))
      expect(status).toBe(204)
      seen.push(await idsIn(id))
    }

    const [a, b] = [ada.uuid, bob.uuid]
    expect(seen).toEqual([[a], [a, b], [b], [], [a], []])
    expect((await memberOf(api, ada.email)).level).toBe(1)
    await send('PUT', `/Groups/${id}`, { displayName: 'Leads', members: values(bob) })
    expect(await idsIn(id)).toEqual([b])
    expect((await memberOf(api, bob.email)).level).toBe(8)
  })

  it('demote a key of the member at once', async () => {
    const { send, ada, create } = await start()
    const { id } = await create('Leads', ada)
    expect((await ada.get('/api/organizations/@current/backups')).status).toBe(200)

    await send('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: 'members' }))

    expect((await ada.get('/api/organizations/@current/backups')).status).toBe(403)
  })

  it('never demote the last owner', async () => {
    const { api, send, create } = await start()
    const { uuid, email } = (await api.get('/api/users/@me')).body
    const board = await create('Board', { uuid })

    await send('DELETE', `/Groups/${board.id}`)

    expect((await memberOf(api, email)).level).toBe(15)
  })

  it('keep members who are deactivated, and give them back what they had', async () => {
    const { api, send, ada, create } = await start()
    await create('Leads', ada)
    const turn = (active: boolean) =>
      send('PATCH', `/Users/${ada.uuid}`, patchOf({ op: 'replace', value: { active } }))

    await turn(false)
    await turn(true)

    expect((await memberOf(api, ada.email)).level).toBe(8)
  })

  it('refuse unknown members and paths by name, and change nothing', async () => {
    const { send, ada, create, idsIn } = await start()
    const { id } = await create('Analysts', ada)
    const nobody = '0b0f3c0e-0000-4000-8000-000000000000'

    for (const [operation, scimType, name] of [
      [{ op: 'add', path: 'members', value: [{ value: nobody }] }, 'invalidValue', nobody],
      [{ op: 'add', path: 'members', value: [{ value: 'x' }] }, 'invalidValue', 'x'],
      [{ op: 'add', path: 'members', value: ['x'] }, 'invalidSyntax', 'members'],
      [{ op: 'add', path: 'owners', value: [] }, 'invalidPath', 'owners'],
      [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidPath', 'display'],
      [{ op: 'remove', path: 'displayName' }, 'invalidValue', 'displayName'],
    ] as const) {
      const both = patchOf({ op: 'remove', path: 'members' }, operation)
      const refused = await send('PATCH', `/Groups/${id}`, both)
      const detail = expect.stringContaining(name)
      expect(refused).toMatchObject({ status: 400, body: { scimType, detail } })
    }
    expect(await idsIn(id)).toEqual([ada.uuid])
    expect((await send('POST', '/Groups', {})).body.scimType).toBe('invalidValue')
  })
})
