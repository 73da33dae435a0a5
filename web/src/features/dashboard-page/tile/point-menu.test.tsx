import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dashboard, insight, insightTile, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { FakeRequest } from '../../../test/server.ts'

const PATH = '/api/environments/1/dashboards/1'

const series = (value: string, count: number) => ({
  label: value,
  breakdown_value: value,
  aggregated_value: count,
  count,
  data: [],
  days: [],
  action: { name: 'visit', custom_name: null, order: 0 },
})

const BROWSERS = insightTile(4, 'Browsers', {
  insight: insight({
    name: 'Browsers',
    query: {
      kind: 'TrendsQuery',
      series: [{ event: 'visit' }],
      breakdownFilter: { breakdown: '$browser' },
      trendsFilter: { display: 'ActionsTable' },
    },
    result: [series('Firefox', 31), series('Safari', 12)],
  }),
})

async function open() {
  const size = vi.spyOn(Element.prototype, 'getBoundingClientRect')
  size.mockReturnValue(new DOMRect(0, 0, 300, 200)) // charts wait until they are visible
  onTestFinished(() => size.mockRestore())
  const asked = new Set<string | null>()
  const saved = dashboard({ tiles: [BROWSERS] })
  const opened = await openPage('/project/1/dashboards/1', {
    [`GET ${PATH}`]: ({ query }: FakeRequest) => {
      asked.add(query.get('value_filter'))
      return saved
    },
    [`PATCH ${PATH}`]: saved,
    [`GET ${PATH}/activity`]: pageOf(),
    'POST /api/projects/1/query': { results: [], hasMore: false },
  })
  await screen.findByRole('article', { name: 'Browsers' })
  return { ...opened, asked }
}

describe('a click on a value of a breakdown', () => {
  it('filters the other tiles until Escape', async () => {
    const { user, asked } = await open()

    await user.click(await screen.findByRole('button', { name: '31' }))
    await user.click(await screen.findByRole('menuitem', { name: /Browser is Firefox/ }))

    await screen.findByRole('button', { name: 'Remove filter: Browser is Firefox' })
    const properties = [{ key: '$browser', type: 'event', value: ['Firefox'], operator: 'exact' }]
    await waitFor(() => expect(asked).toContain(JSON.stringify({ tile: 4, properties })))
    expect(screen.queryByRole('button', { name: 'Save as default' })).toBeNull()
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('Browser is Firefox')).toBeNull())
  })

  it('still leads to the persons', async () => {
    const { user } = await open()

    await user.click(await screen.findByRole('button', { name: '12' }))
    await user.click(await screen.findByRole('menuitem', { name: 'View persons' }))

    await screen.findByRole('dialog', { name: /Safari/ })
  })

  it('can be ignored by a tile', async () => {
    const { user, server } = await open()

    await user.click(await screen.findByRole('button', { name: 'Actions for Browsers' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Ignore clicked values' }))

    await waitFor(() =>
      expect(server.bodiesOf(`PATCH ${PATH}`)).toEqual([
        { tiles: [{ id: 4, filters_overrides: { value_filter: false } }] },
      ]),
    )
  })
})
