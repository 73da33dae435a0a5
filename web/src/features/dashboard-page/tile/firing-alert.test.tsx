import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { dashboard, insight, insightTile, pageOf } from '../../../test/fixtures.ts'
import { alert } from '../../../test/notifications.ts'
import { openPage } from '../../../test/render.tsx'

const PATH = '/api/environments/1/dashboards/1'

const open = (state: 'Firing' | 'Not firing') =>
  openPage('/project/1/dashboards/1', {
    [`GET ${PATH}`]: dashboard({
      tiles: [
        insightTile(1, 'Orders', { insight: insight({ id: 7, name: 'Orders' }) }),
        insightTile(2, 'Visits', { insight: insight({ id: 8, name: 'Visits' }) }),
      ],
    }),
    [`GET ${PATH}/activity`]: pageOf(),
    'GET /api/projects/1/alerts': pageOf(
      alert({ state, insight: { id: 7, short_id: 'a', name: 'Orders' } }),
    ),
    'GET /api/projects/1/subscriptions': pageOf(),
    'GET /api/projects/1/alerts/*': pageOf(),
  })

it('a tile whose alert fires has a bell that opens its alerts', async () => {
  const { user } = await open('Firing')

  const bells = await screen.findAllByRole('button', { name: 'An alert is firing' })
  expect(bells).toHaveLength(1)
  expect(bells[0]?.closest('article')?.getAttribute('aria-label')).toBe('Orders')
  await user.click(bells[0] as HTMLElement)
  await screen.findByRole('dialog', { name: 'Orders' })
})

it('a tile whose alert does not fire has its alerts in the menu only', async () => {
  const { user } = await open('Not firing')

  await user.click(await screen.findByRole('button', { name: 'Actions for Visits' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Alerts and subscriptions' }))

  await screen.findByRole('dialog', { name: 'Visits' })
  expect(screen.queryByRole('button', { name: 'An alert is firing' })).toBeNull()
})
