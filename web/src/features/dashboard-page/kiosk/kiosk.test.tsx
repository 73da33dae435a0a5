import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dashboard, dashboardItem, insightTile, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { FakeRequest } from '../../../test/server.ts'
import { toScale } from './scale.ts'

const PATH = '/api/environments/1/dashboards'

const routes = Object.fromEntries(
  [1, 2].flatMap((id) => [
    [
      `GET ${PATH}/${id}`,
      dashboard({ id, name: `Wall ${id}`, tiles: [insightTile(id, 'Visits')] }),
    ],
    [`GET ${PATH}/${id}/activity`, pageOf()],
  ]),
)

const open = (search: string) => openPage(`/project/1/dashboards/1${search}`, routes)

describe('TV mode', () => {
  it('ends with Escape', async () => {
    const { user, address } = await open('?kiosk&rotate=1,2&date_from=-7d')
    await screen.findByRole('button', { name: 'Exit' })

    await user.keyboard('{Escape}')

    await screen.findByRole('button', { name: 'Share' })
    expect(address()).toBe('/project/1/dashboards/1?date_from=-7d')
  })

  it('rotates the given dashboards', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { address } = await open('?kiosk&rotate=1,2&seconds=20')
    await screen.findByRole('heading', { name: 'Wall 1' })

    vi.advanceTimersByTime(21_000)
    await screen.findByRole('heading', { name: 'Wall 2' })
    expect(address()).toContain('/dashboards/2')
    vi.advanceTimersByTime(21_000)

    await screen.findByRole('heading', { name: 'Wall 1' })
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  it('says that there is no other dashboard to rotate', async () => {
    const { user } = await openPage('/project/1/dashboards/1', {
      ...routes,
      [`GET ${PATH}`]: pageOf(dashboardItem()),
    })

    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'TV mode…' }))
    await user.click(await screen.findByRole('combobox', { name: 'More dashboards' }))

    expect(await screen.findByText('No other dashboards')).toBeTruthy()
  })

  it('is started for several dashboards from the menu', async () => {
    const { user, address } = await openPage('/project/1/dashboards/1', {
      ...routes,
      [`GET ${PATH}`]: ({ query }: FakeRequest) =>
        query.get('search') === 'wall 3'
          ? pageOf(dashboardItem({ id: 3, name: 'Wall 3' }))
          : pageOf(dashboardItem(), dashboardItem({ id: 2, name: 'Wall 2' })),
    })

    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'TV mode…' }))
    await user.click(await screen.findByRole('combobox', { name: 'More dashboards' }))
    await user.click(await screen.findByRole('option', { name: 'Wall 2' }))
    await user.type(screen.getByRole('combobox', { name: 'More dashboards' }), 'wall 3')
    await user.click(await screen.findByRole('option', { name: 'Wall 3' }))
    await user.click(screen.getByRole('button', { name: 'Start TV mode' }))

    await screen.findByRole('button', { name: 'Exit' })
    const search = new URL(address(), 'http://x').searchParams
    await waitFor(() => expect(search.get('rotate')).toBe('[1,2,3]'))
  })
})

describe('the scale of a dashboard in TV mode', () => {
  it.each([
    ['fills a 4K wall', { width: 2560, height: 1440 }, 720, { scale: 2, fits: true }],
    ['shrinks a little to fit', { width: 2560, height: 1440 }, 900, { scale: 1.6, fits: true }],
    [
      'grows a little with few tiles',
      { width: 1280, height: 800 },
      300,
      { scale: 1.4, fits: true },
    ],
    ['scrolls a long one', { width: 2560, height: 1440 }, 3000, { scale: 2, fits: false }],
    ['never shrinks on a phone', { width: 390, height: 844 }, 2000, { scale: 1, fits: false }],
  ])('%s', (_, size, contentHeight, expected) => {
    expect(toScale(size, contentHeight)).toEqual(expected)
  })
})
