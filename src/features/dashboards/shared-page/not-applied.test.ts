import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { visits } from '../../../../test/support/data/visits.ts'

const tile = (name: string, query: object) => ({ insight: { name, query } })

it('says on the shared page which tiles the filters of the dashboard cannot reach', async () => {
  const api = await useApp()
  const { id } = await createDashboard(api, {
    name: 'Sales',
    filters: { date_from: '-14d' },
    tiles: [
      tile('Written', { kind: 'HogQLQuery', query: 'select count() from events' }),
      tile('Visits', visits()),
    ],
  })
  const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })

  const { text } = await api.withKey(undefined).get(`/shared/${body.access_token}`)

  const sections = text.split('<section').slice(1)
  const notes = sections.map((section: string) => [
    /<span title="(\w+)"/.exec(section)?.[1],
    section.includes('<p class="note">Dashboard start date not applied</p>'),
  ])
  expect(notes).toEqual([
    ['Written', true],
    ['Visits', false],
  ])
})
