import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ColorRule } from '#model/color-rules.ts'
import { toNumberView } from '#model/headline.ts'
import { PLAIN } from '#model/number-format.ts'
import { paletteOf } from '#model/palette.ts'
import type { NumberView } from '#model/query-kinds/query-kind.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { renderInApp } from '../../test/render.tsx'
import { ChartNumber } from './number.tsx'

const series = (aggregated_value: number, compare_label: 'current' | 'previous'): TrendSeries => ({
  label: 'visit',
  count: aggregated_value,
  data: [1, 3, 2],
  labels: [],
  days: [],
  action: null,
  aggregated_value,
  compare_label,
})

const view = toNumberView([series(12, 'current'), series(10, 'previous')], PLAIN, {}) as NumberView

it('shows a number, its change in words and color, and its persons', async () => {
  const onPoint = vi.fn()
  const { user } = await renderInApp(<ChartNumber view={view} onPoint={onPoint} />)

  await user.click(await screen.findByRole('button', { name: '12' }))

  expect(screen.getByRole('img', { name: 'up' }).parentElement?.textContent).toBe('↑ 20% ')
  expect(screen.getByText(/vs 10 previously/)).toBeTruthy()
  expect(onPoint).toHaveBeenCalledWith({ series: 0 })
})

it('has the color of the rule that the number meets', async () => {
  const colorRules: ColorRule[] = [{ operator: 'lt', value: 20, color: 'red' }]
  const ruled = toNumberView([series(12, 'current')], PLAIN, { colorRules }) as NumberView
  await renderInApp(<ChartNumber view={ruled} />)

  expect((await screen.findByText('12')).style.color).toBe(paletteOf('light').red)
})
