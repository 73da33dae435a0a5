import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import {
  ago,
  COHORTS,
  cohortOf,
  createCohort,
  listMembers,
} from '../../../../test/support/data/cohorts.ts'
import { addEvents, doing, setting, signingIn } from '../../../../test/support/data/persons.ts'

const pro = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }

const performed = (key: string, more: object = {}) => ({
  type: 'behavioral',
  key,
  value: 'performed_event',
  time_value: 7,
  time_interval: 'day',
  ...more,
})

const times = (operator: string, operator_value: number, more: object = {}) =>
  performed('paid', { value: 'performed_event_multiple', operator, operator_value, ...more })

async function start() {
  const api = await useApp()
  await addEvents(
    api,
    setting('ada', { plan: 'pro' }, ago(40)),
    setting('bob', { plan: 'free' }, ago(40)),
    setting('cy', { plan: 'pro' }, ago(40)),
    ...[1, 2, 3].map((days) => doing('ada', { event: 'paid', timestamp: ago(days), sum: days })),
    doing('bob', { event: 'paid', timestamp: ago(2), sum: 100 }),
    doing('cy', { event: 'paid', timestamp: ago(30), sum: 5 }),
  )
  return api
}

describe('a dynamic cohort', () => {
  it('is created and read back', async () => {
    const api = await start()

    const { status, body } = await api.post(COHORTS, {
      name: ' Customers ',
      description: 'Who pay',
      ...cohortOf(pro),
    })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Customers',
      description: 'Who pay',
      is_static: false,
      count: 2,
      ...cohortOf(pro),
      deleted: false,
      is_calculating: false,
      created_at: expect.any(String),
      created_by: expect.objectContaining({ id: 1 }),
    })
    expect((await api.get(`${COHORTS}/${body.id}`)).body).toEqual(body)
  })

  it.each([
    ['a property', [pro], ['ada', 'cy']],
    ['another value of a property', [{ ...pro, negation: true }], ['bob']],
    ['an event in a period', [performed('paid')], ['ada', 'bob']],
    ['no such event in a period', [performed('paid', { negation: true })], ['cy']],
    [
      'an event since a date',
      [performed('paid', { explicit_datetime: '-60d' })],
      ['ada', 'bob', 'cy'],
    ],
    [
      'an event with a property',
      [performed('paid', { event_filters: [{ key: 'sum', operator: 'gt', value: 50 }] })],
      ['bob'],
    ],
    ['at least a number of events', [times('gte', 2)], ['ada']],
    ['at most a number of events', [times('lte', 2)], ['bob']],
    ['exactly a number of events', [times('eq', 3)], ['ada']],
    [
      'a number of events in a longer period',
      [times('gte', 1, { time_value: 2, time_interval: 'month' })],
      ['ada', 'bob', 'cy'],
    ],
    ['both of two conditions', [pro, performed('paid')], ['ada']],
    ['one condition and not another', [pro, performed('paid', { negation: true })], ['cy']],
    [
      'neither of two conditions',
      [{ ...pro, negation: true }, performed('paid', { negation: true })],
      [],
    ],
  ])('consists of persons with %s', { tags: 'sql' }, async (_, conditions, members) => {
    const api = await start()

    const { id, count } = await createCohort(api, cohortOf(...conditions))

    expect(await listMembers(api, id)).toEqual(members)
    expect(count).toBe(members.length)
  })

  it('is counted before it is saved', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))
    const stopped = [
      performed('paid', { time_value: 60 }),
      performed('paid', { time_value: 10, negation: true }),
    ]
    const count = async (...values: object[]) =>
      (await api.post(`${COHORTS}/count`, cohortOf(...values))).body.count

    expect(await count(pro)).toBe(2)
    expect(await count(times('gte', 3))).toBe(1)
    expect(await count(...stopped)).toBe(1)
    expect(await count({ type: 'cohort', key: 'id', value: id, negation: true })).toBe(1)
    expect((await api.get(COHORTS)).body.count).toBe(1)
  })

  it.each([
    [{}, 'filters'],
    [{ filters: {} }, 'filters__properties'],
    [cohortOf(), 'filters__properties__values'],
    [cohortOf({ type: 'cohort', value: 999 }), 'filters__properties__values__0__value'],
    [cohortOf(performed('')), 'filters__properties__values__0__key'],
  ])('is not counted by %j', async (body, attr) => {
    const api = await useApp()

    const { status, body: problem } = await api.post(`${COHORTS}/count`, body)

    expect([status, problem.attr]).toEqual([400, attr])
  })

  it('combines groups', { tags: 'sql' }, async () => {
    const api = await start()
    const group = (type: string, ...values: object[]) => ({ type, values })
    const properties = group(
      'OR',
      group('AND', pro, performed('paid', { negation: true })),
      times('lte', 1),
    )

    const { id } = await createCohort(api, { filters: { properties } })

    expect(await listMembers(api, id)).toEqual(['bob', 'cy'])
  })

  it('is always up to date', { tags: 'sql' }, async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))

    await addEvents(api, setting('bob', { plan: 'pro' }), setting('ada', { plan: 'free' }))
    expect(await listMembers(api, id)).toEqual(['bob', 'cy'])
    await addEvents(api, signingIn('bob', 'cy'))

    expect(await listMembers(api, id)).toEqual(['bob'])
    expect((await api.get(`${COHORTS}/${id}`)).body.count).toBe(1)
  })

  it('can include or exclude other cohorts', { tags: 'sql' }, async () => {
    const api = await start()
    const inner = await createCohort(api, cohortOf(pro))
    const member = { type: 'cohort', key: 'id', value: inner.id }

    const both = await createCohort(api, cohortOf(member, performed('paid')))
    const outside = await createCohort(api, cohortOf({ ...member, negation: true }))
    const nested = { type: 'cohort', value: outside.id, operator: 'not_in' }
    const inside = await createCohort(api, cohortOf(nested))

    expect(await listMembers(api, both.id)).toEqual(['ada'])
    expect(await listMembers(api, outside.id)).toEqual(['bob'])
    expect(await listMembers(api, inside.id)).toEqual(['ada', 'cy'])
  })

  it('refuses cycles, even across several cohorts', async () => {
    const api = await start()
    const naming = (value: number) => cohortOf(pro, { type: 'cohort', value })
    const first = await createCohort(api, cohortOf(pro))
    const second = await createCohort(api, naming(first.id))

    for (const value of [first.id, second.id]) {
      const { status, body } = await api.patch(`${COHORTS}/${first.id}`, naming(value))
      expect([status, body.attr]).toEqual([400, 'filters__properties__values__1__value'])
      expect(body.detail).toMatch(/contains itself/)
    }
    expect((await api.get(`${COHORTS}/${first.id}`)).body.filters).toEqual(cohortOf(pro).filters)
  })

  it('refuses to be nested deeper than five levels', async () => {
    const api = await start()
    let { id } = await createCohort(api, cohortOf(pro))
    for (let level = 0; level < 5; level++) {
      id = (await createCohort(api, cohortOf({ type: 'cohort', value: id }))).id
    }

    const { status, body } = await api.post(COHORTS, {
      name: 'Deep',
      ...cohortOf({ type: 'cohort', value: id }),
    })

    expect([status, body.detail]).toEqual([400, 'Cohorts can be nested 5 deep.'])
    expect(await listMembers(api, id)).toEqual(['ada', 'cy'])
  })

  it.each([
    ['no filters', {}, 'filters'],
    ['no properties', { filters: {} }, 'filters__properties'],
    ['a list', { filters: { properties: [pro] } }, 'filters__properties'],
    ['an empty group', cohortOf(), 'filters__properties__values'],
    [
      'an unknown operator of groups',
      { filters: { properties: { type: 'XOR', values: [pro] } } },
      'filters__properties__type',
    ],
    [
      'an unknown type',
      cohortOf({ ...pro, type: 'event' }),
      'filters__properties__values__0__type',
    ],
    ['no key', cohortOf({ type: 'person' }), 'filters__properties__values__0__key'],
    [
      'an invalid number',
      cohortOf({ ...pro, operator: 'gt', value: 'x' }),
      'filters__properties__values__0__value',
    ],
    [
      'an invalid pattern',
      cohortOf({ ...pro, operator: 'regex', value: '(' }),
      'filters__properties__values__0__value',
    ],
    [
      'an unknown behavior',
      cohortOf(performed('a', { value: 'stopped_performing_event' })),
      'filters__properties__values__0__value',
    ],
    [
      'an unknown type of event',
      cohortOf(performed('a', { event_type: 'data_warehouse' })),
      'filters__properties__values__0__event_type',
    ],
    [
      'no period',
      cohortOf(performed('a', { time_value: null })),
      'filters__properties__values__0__time_value',
    ],
    [
      'an invalid period',
      cohortOf(performed('a', { explicit_datetime: 'soon' })),
      'filters__properties__values__0__explicit_datetime',
    ],
    [
      'no number of times',
      cohortOf(times('gte', 1, { operator_value: null })),
      'filters__properties__values__0__operator_value',
    ],
    ['zero times', cohortOf(times('lte', 0)), 'filters__properties__values__0__operator_value'],
    [
      'an unknown cohort',
      cohortOf({ type: 'cohort', value: 987_654_321 }),
      'filters__properties__values__0__value',
    ],
    ['a list of members', { ...cohortOf(pro), distinct_ids: ['ada'] }, 'distinct_ids'],
    ['an empty name', { ...cohortOf(pro), name: ' ' }, 'name'],
  ])('refuses %s', async (_, body, attr) => {
    const api = await useApp()

    const refused = await api.post(COHORTS, { name: 'Customers', ...body })

    expect([refused.status, refused.body.attr]).toEqual([400, attr])
    expect((await api.get(COHORTS)).body.count).toBe(0)
  })
})

describe('cohorts', () => {
  it('are listed newest first, searched and paged', { tags: 'sql' }, async () => {
    const api = await start()
    for (const name of ['One', 'Two', 'Three']) await createCohort(api, { name, ...cohortOf(pro) })
    const names = async (query: string) =>
      (await api.get(`${COHORTS}${query}`)).body.results.map(({ name }: { name: string }) => name)

    expect(await names('')).toEqual(['Three', 'Two', 'One'])
    expect(await names('?search=T')).toEqual(['Three', 'Two'])
    expect(await names('?limit=1&offset=1')).toEqual(['Two'])
    const { body } = await api.get(`${COHORTS}?limit=1`)
    expect(body).toMatchObject({ count: 3, results: [{ count: 2 }] })
  })

  it('are updated, deleted and restored by PATCH, and logged', async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))
    const path = `${COHORTS}/${id}`

    expect((await api.patch(path, { name: 'Paying' })).body).toMatchObject({ count: 2 })
    await api.patch(path, cohortOf(performed('paid')))
    expect(await listMembers(api, id)).toEqual(['ada', 'bob'])
    expect((await api.delete(path)).status).toBe(405)
    expect((await api.patch(path, { deleted: true })).body).toMatchObject({ deleted: true })
    expect((await api.get(COHORTS)).body.count).toBe(0)
    expect((await api.get(`${path}/persons`)).status).toBe(404)
    expect((await api.get(`${COHORTS}?deleted=true`)).body.count).toBe(1)
    await api.patch(path, { deleted: false })

    expect((await api.get(COHORTS)).body.count).toBe(1)
    const { body } = await api.get(`${path}/activity`)
    expect(body.results.map(({ activity }: { activity: string }) => activity)).toEqual([
      'restored',
      'deleted',
      'updated',
      'updated',
      'created',
    ])
  })

  it('are not deleted while others use them', async () => {
    const api = await start()
    const inner = await createCohort(api, cohortOf(pro))
    const outer = await createCohort(api, cohortOf({ type: 'cohort', value: inner.id }))

    const { status, body } = await api.patch(`${COHORTS}/${inner.id}`, { deleted: true })

    expect(status).toBe(409)
    expect(body.detail).toContain(`Cohort ${outer.id}`)
  })

  it('are listed by person', { tags: 'sql' }, async () => {
    const api = await start()
    const first = await createCohort(api, cohortOf(pro))
    await createCohort(api, cohortOf({ ...pro, negation: true }))

    const { body } = await api.get('persons/cohorts?person_id=ada')

    expect(body.results).toMatchObject([{ id: first.id, count: null }])
    expect((await api.get('persons/cohorts?person_id=nobody')).status).toBe(404)
  })

  it('are not found in another project', async () => {
    const api = await start()
    const { id } = await createCohort(api, cohortOf(pro))
    const other = await api.createProject()
    const at = (path: string) => api.path(path, other)

    expect((await api.get(at(COHORTS))).body.count).toBe(0)
    expect((await api.get(at(`${COHORTS}/${id}`))).status).toBe(404)
    expect((await api.get(at(`${COHORTS}/${id}/persons`))).status).toBe(404)
    expect((await api.patch(at(`${COHORTS}/${id}`), { name: 'x' })).status).toBe(404)
    const naming = { name: 'x', ...cohortOf({ type: 'cohort', value: id }) }
    expect((await api.post(at(COHORTS), naming)).status).toBe(400)
  })

  it('require query:read for filters', async () => {
    const api = await start()
    const writer = await api.as({ scopes: ['cohort:write'] })

    expect((await writer.post(COHORTS, { name: 'x', ...cohortOf(pro) })).status).toBe(403)
    expect((await writer.post(COHORTS, { name: 'x', is_static: true })).status).toBe(201)
  })
})
