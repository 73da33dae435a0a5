import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stubEventSource } from '../../../test/event-source.ts'
import { CONFIGS, config, configRoutes, metrics, run } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'

/** The color of a badge. */
const colorOf = (label: HTMLElement): string =>
  label.closest<HTMLElement>('.mantine-Badge-root')?.style.getPropertyValue('--badge-bg') ?? ''

const FINISHED = [
  ['succeeded', 'Succeeded', 'hedge'],
  ['failed', 'Failed', 'red'],
  ['cancelled', 'Canceled', 'gray'],
] as const

describe('the color of a run', () => {
  it.each(FINISHED)('that %s is that of its state', async (state, label, color) => {
    stubEventSource()
    await openPage('/project/1/apps/1?tab=runs', configRoutes([config()], run({ state })))

    const [badge] = (await screen.findAllByText(label)).filter((text) => colorOf(text) !== '')
    expect(badge && colorOf(badge)).toBe(`var(--mantine-color-${color}-light)`)
  })

  it('that is running is blue', async () => {
    stubEventSource()
    const running = run({ state: 'running', finished_at: null })
    await openPage('/project/1/apps/1?tab=runs', configRoutes([config()], running))

    const bar = await screen.findByRole('progressbar', { name: 'work' })
    expect(bar.style.getPropertyValue('--progress-section-color')).toContain('color-blue')
  })

  it.each([...FINISHED, ['running', 'Running', 'blue'] as const])(
    'that is %s is the same in the list',
    async (state, label, color) => {
      stubEventSource()
      await openPage('/project/1/apps', configRoutes([config()], run({ state })))

      expect(colorOf(await screen.findByText(label))).toBe(`var(--mantine-color-${color}-light)`)
    },
  )

  it('that failed differs from that of a success in the chart of runs', async () => {
    stubEventSource()
    await openPage('/project/1/apps/1?tab=health', {
      ...configRoutes([config()], run()),
      [`GET ${CONFIGS}/1/metrics`]: metrics({ runs_succeeded: 3, runs_failed: 1 }),
    })

    const chart = await screen.findByRole('img', { name: '3 runs succeeded, 1 failed' })
    const bars = [...chart.querySelectorAll('rect')].map((bar) => ({
      height: bar.getAttribute('height'),
      isRed: bar.classList.value.includes('failed'),
    }))
    expect(bars).toEqual([
      { height: '75', isRed: false },
      { height: '25', isRed: true },
    ])
  })
})
