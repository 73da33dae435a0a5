import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  COHORTS,
  cohortOf,
  createCohort,
  listMembers,
} from '../../../../test/support/data/cohorts.ts'
import { addEvents, doing, signingIn } from '../../../../test/support/data/persons.ts'
import { removePerson } from '../persons/persons.ts'

async function start() {
  const api = await useApp()
  await addEvents(api, doing('ada'), doing('bob'), doing('cy'))
  return api
}

const findUuid = async (api: TestApp, id: string) => (await api.get(`persons/${id}`)).body.uuid

const ofMembers = (...distinct_ids: string[]) => ({ is_static: true, distinct_ids })

/** Sends a form with a file. */
const sendCsv = (api: TestApp, method: string, path: string, csv: string) =>
  api.request(
    method,
    path,
    [
      '--B\r\ncontent-disposition: form-data; name="name"\r\n\r\nFrom a file',
      '--B\r\ncontent-disposition: form-data; name="is_static"\r\n\r\ntrue',
      `--B\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${csv}`,
      '--B--\r\n',
    ].join('\r\n'),
    { 'content-type': 'multipart/form-data; boundary=B' },
  )

describe('a static cohort', () => {
  it('has the persons of a list of distinct IDs or UUIDs', { tags: 'sql' }, async () => {
    const api = await start()
    const persons = [await findUuid(api, 'bob')]

    const { id, count } = await createCohort(api, {
      ...ofMembers('ada', 'ada'),
      _create_static_person_ids: persons,
    })

    expect(count).toBe(2)
    expect(await listMembers(api, id)).toEqual(['ada', 'bob'])
    expect((await api.get(`${COHORTS}/${id}`)).body).toMatchObject({ is_static: true, filters: {} })
  })

  it('keeps its members when persons merge or split', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, ofMembers('ada', 'bob'))

    await addEvents(api, signingIn('zoe', 'ada'), signingIn('zoe', 'bob'))
    expect(await listMembers(api, id)).toEqual(['ada'])
    expect((await api.get(`${COHORTS}/${id}`)).body.count).toBe(1)
    await api.post('persons/zoe/split', { main_distinct_id: 'zoe' })

    expect(await listMembers(api, id)).toEqual(['ada', 'bob'])
  })

  it('gains the person of an unknown ID when the ID is first seen', { tags: 'sql' }, async () => {
    const api = await start()
    const { id, count } = await createCohort(api, ofMembers('new one', '\u001fodd\n'))
    expect(count).toBe(0)

    await addEvents(api, doing('new one'), doing('\u001fodd\n'))

    expect(await listMembers(api, id)).toEqual(['\u001fodd\n', 'new one'])
  })

  it('adds and removes persons', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, ofMembers('ada'))
    await addEvents(api, signingIn('ada', 'phone'))
    const add = `${COHORTS}/${id}/add_persons_to_static_cohort`
    const remove = `${COHORTS}/${id}/remove_person_from_static_cohort`

    const added = await api.patch(add, { person_ids: [await findUuid(api, 'bob')] })
    expect([added.status, added.body.count]).toEqual([200, 2])
    await api.patch(`${COHORTS}/${id}`, { distinct_ids: ['cy'] })
    const removed = await api.patch(remove, { person_id: 'phone' })

    expect([removed.status, removed.body.count]).toEqual([200, 2])
    expect(await listMembers(api, id)).toEqual(['bob', 'cy'])
    expect((await api.patch(remove, { person_id: 'ada' })).body.attr).toBe('person_id')
    expect((await api.get(`${COHORTS}/${id}/activity`)).body.count).toBe(4)
  })

  it('can be part of other cohorts', async () => {
    const api = await start()
    const { id } = await createCohort(api, ofMembers('ada', 'cy'))

    const outside = { type: 'cohort', value: id, negation: true }
    const rest = await createCohort(api, cohortOf(outside))

    expect(await listMembers(api, rest.id)).toEqual(['bob'])
  })

  it.each([
    ['a header', 'name,distinct_id\nAda,ada\n"B, ""b""",bob\r\n', ['ada', 'bob']],
    ['no header', 'ada\n"cy"\n\n', ['ada', 'cy']],
    ['a byte order mark', '\ufeffdistinct_id\nada', ['ada']],
  ])('is read from a CSV file with %s', async (_, csv, members) => {
    const api = await start()

    const { status, body } = await sendCsv(api, 'POST', COHORTS, csv)

    expect([status, body.name, body.count]).toEqual([201, 'From a file', members.length])
    expect(await listMembers(api, body.id)).toEqual(members)
  })

  it('is read from a CSV file of persons, and extended by another', async () => {
    const api = await start()
    const csv = `person_id\n${await findUuid(api, 'ada')}\n`
    const { body } = await sendCsv(api, 'POST', COHORTS, csv)

    const { status } = await sendCsv(api, 'PATCH', `${COHORTS}/${body.id}`, 'bob\n')

    expect(status).toBe(200)
    expect(await listMembers(api, body.id)).toEqual(['ada', 'bob'])
  })

  it.each([
    ['no ID column', 'name,mail\na,b', 'csv'],
    ['an unclosed quote', 'distinct_id\n"ada', 'csv'],
    ['nothing', '\n\n', 'csv'],
    ['invalid UUIDs', 'person_id\nada', '_create_static_person_ids__0'],
    ['a NUL', 'ada\0', 'distinct_ids__0'],
    ['too many rows', 'a\n'.repeat(100_001), 'csv'],
  ])('refuses a CSV file with %s', async (_, csv, attr) => {
    const api = await start()

    const { status, body } = await sendCsv(api, 'POST', COHORTS, csv)

    expect([status, body.attr]).toEqual([400, attr])
    expect((await api.get(COHORTS)).body.count).toBe(0)
  })

  it('refuses unknown persons and filters', async () => {
    const api = await start()
    const nobody = '00000000-0000-4000-8000-000000000000'
    const { id } = await createCohort(api, ofMembers('ada'))
    const add = `${COHORTS}/${id}/add_persons_to_static_cohort`

    const unknown = await api.patch(add, { person_ids: [nobody] })
    expect([unknown.status, unknown.body.attr]).toEqual([400, 'person_ids__0'])
    const filtered = await api.patch(`${COHORTS}/${id}`, cohortOf({ type: 'person', key: 'a' }))
    expect([filtered.status, filtered.body.attr]).toEqual([400, 'filters'])
    const dynamic = await createCohort(
      api,
      cohortOf({ type: 'person', key: 'a', operator: 'is_set' }),
    )
    const path = `${COHORTS}/${dynamic.id}/add_persons_to_static_cohort`
    expect((await api.patch(path, { distinct_ids: ['ada'] })).status).toBe(409)
  })

  it.each(['persons/phone', 'persons/phone?delete_events=true', 'persons/phone/events'])(
    'removes the member deleted by DELETE %s',
    { tags: 'sql' },
    async (path) => {
      const api = await start()
      await addEvents(api, signingIn('ada', 'phone'))
      const { id } = await createCohort(api, ofMembers('ada', 'bob'))

      await api.delete(path)
      await addEvents(api, doing('ada'))

      expect(await listMembers(api, id)).toEqual(['bob'])
    },
  )
  it.each(['before', 'after'])(
    'loses a member even if the server dies %s the deletion of the person',
    { tags: 'sql' },
    async (when) => {
      const api = await start()
      const { id } = await createCohort(api, ofMembers('ada', 'bob'))
      const { events, storage } = api.services
      const deletePerson: typeof events.deletePerson = async (...given) => {
        if (when === 'after') await events.deletePerson(...given)
        throw new Error('killed')
      }
      const deps = { db: storage.db, events: { ...events, deletePerson } }
      const caller = {
        projectId: api.projectId,
        userId: 1,
        level: 15,
        isViewer: false,
        scopes: new Set<string>(),
      }
      const isKilled = removePerson(deps, caller, { id: 'ada', withEvents: true })
      await expect(isKilled).rejects.toThrow('killed')

      const again = await api.delete('persons/ada?delete_events=true')
      await addEvents(api, doing('ada'))

      expect(again.status).toBe(when === 'after' ? 404 : 204)
      expect(await listMembers(api, id)).toEqual(['bob'])
    },
  )
})
