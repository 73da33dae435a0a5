import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { dashboard, insight, insightTile, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'

const PATH = '/api/environments/1/dashboards/1'
const ABOUT = 'How many came'

const tileOf = (show_description: boolean | null): Tile =>
  insightTile(1, 'Visits', {
    insight: insight({ name: 'Visits', description: ABOUT }),
    show_description,
  })

/** Opens a dashboard whose server shows the description once it was changed. */
function open(tile: Tile) {
  let saved = dashboard({ tiles: [tile] })
  return openPage('/project/1/dashboards/1', {
    [`GET ${PATH}`]: () => saved,
    [`GET ${PATH}/activity`]: pageOf(),
    [`PATCH ${PATH}`]: () => {
      saved = dashboard({ tiles: [{ ...tile, show_description: true }] })
      return saved
    },
  })
}

describe('the description of a tile', () => {
  it.each([
    [null, ABOUT, 0],
    [false, 'Visits', 0],
    [true, 'Visits', 1],
  ])(
    'with show_description %j is in the tooltip %j, and %i times on the tile',
    async (shown, tooltip, count) => {
      await open(tileOf(shown))

      const link = await screen.findByRole('link', { name: 'Visits' })

      expect(link.title).toBe(tooltip)
      expect(screen.queryAllByText(ABOUT)).toHaveLength(count)
    },
  )

  it('is shown from the menu', async () => {
    const { user, server } = await open(tileOf(null))

    await user.click(await screen.findByRole('button', { name: 'Actions for Visits' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Show description' }))

    await screen.findByText(ABOUT)
    await waitFor(() => {
      const sent = server.requests.filter(({ method }) => method === 'PATCH')
      expect(sent.map(({ body }) => body)).toMatchObject([
        { tiles: [{ id: 1, show_description: true }] },
      ])
    })
  })
})
