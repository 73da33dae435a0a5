import { expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { createCohort } from '../../../test/support/data/cohorts.ts'
import { addEvents, setting } from '../../../test/support/data/persons.ts'

/** Lists the items of the entries of a scope, newest first. */
const listItems = async (api: TestApp, scope: string) =>
  (await api.get(`activity_log?scope=${scope}`)).body.results.map(
    ({ activity, item }: { activity: string; item: object | null }) => [activity, item],
  )

it('links activity to persons and cohorts until they are deleted', { tags: 'sql' }, async () => {
  const api = await useApp()
  await addEvents(api, setting('ada', { email: 'ada@a.example' }))
  const { id } = (await api.get('persons?distinct_id=ada')).body.results[0]
  const cohort = await createCohort(api, {
    name: 'Friends',
    is_static: true,
    distinct_ids: ['ada'],
  })
  await api.post(`persons/${id}/update_property`, { key: 'plan', value: 'pro' })

  const person = { kind: 'person', id: String(id), name: 'ada@a.example' }
  expect(await listItems(api, 'Person')).toEqual([['updated', person]])
  expect(await listItems(api, 'Cohort')).toEqual([
    ['created', { kind: 'cohort', id: String(cohort.id), name: 'Friends' }],
  ])

  await api.delete(`persons/${id}`)
  await api.patch(`cohorts/${cohort.id}`, { deleted: true })

  expect(await listItems(api, 'Person')).toEqual([
    ['deleted', null],
    ['updated', null],
  ])
  expect((await listItems(api, 'Cohort')).map(([, item]: [string, unknown]) => item)).toEqual([
    null,
    null,
  ])
})
