import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { heatColor, paletteOf } from '#model/palette.ts'
import { theme } from '../../theme.ts'
import { ChartRetention } from './retention.tsx'

const COHORTS = [
  { date: '2026-02-02T00:00:00Z', label: 'Week 0', values: [{ count: 9, label: 'Week 0' }] },
]

it('a retention table is dark from its first render on', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {} }))

  const markup = renderToStaticMarkup(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <ChartRetention title="Coming back" cohorts={COHORTS} />
    </MantineProvider>,
  )
  vi.unstubAllGlobals()

  expect(markup).toContain(heatColor(paletteOf('dark'), 0))
})
