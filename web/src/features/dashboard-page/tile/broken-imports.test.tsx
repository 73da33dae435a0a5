import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { dashboard, insight, insightTile, pageOf } from '../../../test/fixtures.ts'
import { HEALTH, health } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { readsEvents } from './reads-events.ts'

const PATH = '/api/environments/1/dashboards/1'

const trend = (event: string | null) => ({
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event }] },
})
const text = (query: string) => ({
  kind: 'DataTableNode',
  source: { kind: 'HogQLQuery', query },
})

it.each([
  ['its event', trend('order'), true],
  ['another event', trend('orders'), false],
  ['all events', trend(null), true],
  ['its event in SQL', text("select count() from events where event = 'order'"), true],
  ['another event in SQL', text("select count() from events where event = 'orders'"), false],
  ['nothing', null, false],
])('a query reads an import that captures "order": %s', (_, query, reads) => {
  expect(readsEvents(query, ['order'])).toBe(reads)
})

it('a query does not read an import that captured nothing', () => {
  expect(readsEvents(trend(null), [])).toBe(false)
})

it('a tile whose data comes from a late import says so', async () => {
  await openPage('/project/1/dashboards/1', {
    [`GET ${PATH}`]: dashboard({
      tiles: [
        insightTile(1, 'Orders', { insight: insight({ id: 7, query: trend('order') }) }),
        insightTile(2, 'Visits', { insight: insight({ id: 8, query: trend('visit') }) }),
      ],
    }),
    [`GET ${PATH}/activity`]: pageOf(),
    'GET /api/projects/1/alerts': pageOf(),
    [`GET ${HEALTH}`]: pageOf(
      health({ name: 'Shop', state: 'stale', event_names: ['order'] }),
      health({ config_id: 2, name: 'Site', state: 'healthy', event_names: ['visit'] }),
    ),
  })

  const notes = await screen.findAllByText('Data may be out of date: Shop is late.')

  expect(notes).toHaveLength(1)
})
