import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { newEvent } from '../../../../test/support/data/events.ts'

const EVENTS = 'event_definitions'
const PROPERTIES = 'property_definitions'

async function start(...names: string[]): Promise<TestApp> {
  const api = await useApp()
  const properties = JSON.stringify({ amount: 1, plan: 'pro' })
  await api.services.events.append(
    api.projectId,
    names.map((event) => newEvent({ event, properties, timestamp: new Date().toISOString() })),
  )
  return api
}

/** Finds the path of a definition by its name. */
async function pathOf(api: TestApp, list: string, name: string): Promise<string> {
  const { body } = await api.get(`${list}${list.includes('?') ? '&' : '?'}search=${name}`)
  return `${list.split('?')[0]}/${body.results.find((each: Named) => each.name === name).id}`
}

interface Named {
  readonly name: string
}

const namesOf = async (api: TestApp, path: string) =>
  (await api.get(path)).body.results.map(({ name }: Named) => name)

describe('details of definitions', () => {
  it('are empty at first, and kept when written', { tags: 'sql' }, async () => {
    const api = await start('paid')
    const path = await pathOf(api, EVENTS, 'paid')
    const { body: first } = await api.get(path)
    const { body: me } = await api.get('/api/users/@me')
    expect(first).toMatchObject({ name: 'paid', description: '', owner: null, tags: [] })
    expect(first).toMatchObject({ verified: false, verified_by: null, hidden: false })

    const patch = { description: 'Money came in.', owner: me.id, tags: [' a ', 'a', 'b'] }
    const { status, body } = await api.patch(path, { ...patch, verified: true })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id: first.id, name: 'paid', volume_30_day: 1, description: 'Money came in.' },
      ...{ tags: ['a', 'b'], verified: true, owner: { id: me.id } },
      ...{ verified_by: { id: me.id }, updated_by: { id: me.id }, hidden: false },
    })
    expect((await api.get(path)).body).toEqual(body)
    expect((await api.get(EVENTS)).body.results).toEqual([body])
  })

  it('change only where they are sent', { tags: 'sql' }, async () => {
    const api = await start('paid')
    const path = await pathOf(api, EVENTS, 'paid')
    await api.patch(path, { description: 'Old', tags: ['a'], verified: true })

    const { body } = await api.patch(path, { description: null, verified: false })

    expect(body).toMatchObject({ description: '', tags: ['a'], verified: false, verified_at: null })
  })

  it('filter and order the list', { tags: 'sql' }, async () => {
    const api = await start('often', 'often', 'often', 'rare', 'noise', 'noise')
    await api.patch(await pathOf(api, EVENTS, 'rare'), { verified: true, tags: ['core'] })
    await api.patch(await pathOf(api, EVENTS, 'noise'), { hidden: true })

    expect(await namesOf(api, EVENTS)).toEqual(['rare', 'often', 'noise'])
    expect(await namesOf(api, `${EVENTS}?exclude_hidden=true`)).toEqual(['rare', 'often'])
    expect(await namesOf(api, `${EVENTS}?verified=true`)).toEqual(['rare'])
    expect(await namesOf(api, `${EVENTS}?verified=false`)).toEqual(['often', 'noise'])
    expect(await namesOf(api, `${EVENTS}?tags=["core","x"]`)).toEqual(['rare'])
  })

  it('belong to properties of events or of persons', { tags: 'sql' }, async () => {
    const api = await start('paid')
    const { body: project } = await api.get('')
    const $set = { amount: 5 }
    await api.post('/batch', {
      api_key: project.api_token,
      batch: [{ event: '$set', distinct_id: 'ada', properties: { $set } }],
    })
    const path = await pathOf(api, `${PROPERTIES}?type=person`, 'amount')

    const { body } = await api.patch(path, { description: 'Of a person', property_type: 'String' })

    expect(body).toMatchObject({ type: 'person', property_type: 'String', is_numerical: false })
    const { body: ofEvents } = await api.get(await pathOf(api, PROPERTIES, 'amount'))
    expect(ofEvents).toMatchObject({ type: 'event', description: '', property_type: 'Numeric' })
    expect((await api.patch(path, { property_type: null })).body.property_type).toBe('Numeric')
  })

  it('list hidden and verified properties as events', { tags: 'sql' }, async () => {
    const api = await start('paid')
    await api.patch(await pathOf(api, PROPERTIES, 'plan'), { verified: true })
    await api.patch(await pathOf(api, PROPERTIES, 'amount'), { hidden: true })

    expect(await namesOf(api, PROPERTIES)).toEqual(['plan', 'amount'])
    expect(await namesOf(api, `${PROPERTIES}?exclude_hidden=true&event=paid`)).toEqual(['plan'])
    expect(await namesOf(api, `${PROPERTIES}?verified=false`)).toEqual(['amount'])
  })

  it('outlive the events', async () => {
    const api = await start('paid')
    const path = await pathOf(api, EVENTS, 'paid')
    await api.patch(path, { description: 'Kept' })
    await api.db
      .updateTable('definition_details')
      .set({ name: 'gone' })
      .where('project_id', '=', api.projectId)
      .execute()

    const { body } = await api.get(EVENTS)

    expect(body.results).toMatchObject([
      { name: 'paid', description: '' },
      { name: 'gone', description: 'Kept', volume_30_day: 0, last_seen_at: null },
    ])
  })

  it('are logged as activity', async () => {
    const api = await start('paid')
    await api.patch(await pathOf(api, EVENTS, 'paid'), { verified: true, tags: ['a'] })
    await api.patch(await pathOf(api, PROPERTIES, 'plan'), { description: 'x' })

    const { body } = await api.get('activity_log')

    expect(body.results).toMatchObject([
      {
        ...{ scope: 'PropertyDefinition', activity: 'updated' },
        detail: { name: 'plan', changes: [{ field: 'description', after: 'x' }] },
      },
      {
        ...{ scope: 'EventDefinition', activity: 'updated' },
        detail: { name: 'paid', changes: [{ field: 'tags' }, { field: 'verified', after: true }] },
      },
    ])
  })

  it.each([
    ['a long description', { description: 'x'.repeat(1001) }, 'description'],
    ['an owner who does not exist', { owner: 987_654 }, 'owner'],
    ['tags that are not a list', { tags: 'a' }, 'tags'],
    ['hiding what is verified', { verified: true, hidden: true }, 'hidden'],
    ['an unknown field', { name: 'x' }, 'name'],
    ['the type of a property for an event', { property_type: 'String' }, 'property_type'],
  ])('refuse %s', async (_, patch, attr) => {
    const api = await start('paid')
    const path = await pathOf(api, EVENTS, 'paid')

    const { status, body } = await api.patch(path, patch)

    expect([status, body.attr]).toEqual([400, attr])
    expect((await api.get(path)).body).toMatchObject({ verified: false, updated_at: null })
  })

  it('refuse an unknown type of a property', async () => {
    const api = await start('paid')

    const { status, body } = await api.patch(await pathOf(api, PROPERTIES, 'plan'), {
      property_type: 'Money',
    })

    expect([status, body.attr]).toEqual([400, 'property_type'])
  })

  it('refuse to verify what is hidden', async () => {
    const api = await start('paid')
    const path = await pathOf(api, EVENTS, 'paid')
    await api.patch(path, { hidden: true })

    expect((await api.patch(path, { verified: true })).body.attr).toBe('verified')
    expect((await api.patch(path, { verified: true, hidden: false })).status).toBe(200)
  })

  it('do not exist in another project, or for an ID that is none', async () => {
    const api = await start('paid')
    const other = await api.createProject()
    const paths = [await pathOf(api, EVENTS, 'paid'), await pathOf(api, PROPERTIES, 'plan')]

    for (const path of [...paths.map((each) => `/api/projects/${other}/${each}`), `${EVENTS}/7`]) {
      expect((await api.get(path)).status, path).toBe(404)
      expect((await api.patch(path, { description: 'x' })).status, path).toBe(404)
    }
  })
})
