import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { dashboard, insightTile, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'

const PATH = '/api/environments/1/dashboards/1'

it('shows a placeholder that does not move while a result is computed', async () => {
  await openPage('/project/1/dashboards/1', {
    [`GET ${PATH}`]: dashboard({ tiles: [insightTile(1, 'Visits')] }),
    [`GET ${PATH}/activity`]: pageOf(),
  })
  await screen.findByRole('article', { name: 'Visits' })

  const placeholders = document.querySelectorAll('article .mantine-Skeleton-root')

  expect(placeholders.length).toBeGreaterThan(0)
  for (const each of placeholders) expect(each.hasAttribute('data-animate')).toBe(false)
})
