import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { createInsight } from '../support/data/insights.ts'
import { visits } from '../support/data/visits.ts'
import { openBrowser, openWeb } from './browser.ts'

/** More than the controls of any page below. */
const MAX_STEPS = 80

/** Describes the focused control and the rings that it, its parts and its frames show. */
const DESCRIBE_FOCUS = `(() => {
  const active = document.activeElement
  if (!active || active === document.body) return null
  const probe = document.createElement('i')
  probe.style.color = 'var(--mantine-primary-color-filled)'
  document.body.append(probe)
  const primary = getComputedStyle(probe).color
  probe.remove()
  const frames = []
  for (let at = active; at && frames.length < 6; at = at.parentElement) frames.push(at)
  const near = new Set([...frames, ...(active.parentElement?.querySelectorAll('*') ?? [])])
  const rings = [...near].flatMap((element) => {
    const { outlineWidth, outlineStyle, outlineColor, opacity } = getComputedStyle(element)
    const isHidden = opacity === '0' || element.getBoundingClientRect().width <= 1
    const isNone = outlineStyle === 'none' || outlineColor === 'rgba(0, 0, 0, 0)'
    if (isHidden || isNone) return []
    return [[outlineWidth, outlineStyle, outlineColor === primary ? 'primary' : outlineColor].join(' ')]
  })
  return { control: active.outerHTML.slice(0, 200), rings }
})()`

interface Focus {
  readonly control: string
  readonly rings: readonly string[]
}

/** Walks through a page with the Tab key and returns its controls. */
async function walk(page: Page, path: string): Promise<Map<string, readonly string[]>> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  const seen = new Map<string, readonly string[]>()
  for (let step = 0; step < MAX_STEPS; step++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate<Focus | null>(DESCRIBE_FOCUS)
    if (!focus) break
    seen.set(focus.control, focus.rings)
  }
  return seen
}

const RING = ['2px solid primary']

describe('keyboard focus', () => {
  it('shows one ring of one style on every control', { timeout: 180_000 }, async () => {
    const { page, api } = await openWeb()
    const tile = { insight: { name: 'Visits', query: visits() } }
    const dashboard = await createDashboard(api, { name: 'Growth', tiles: [tile] })
    const source = { kind: 'HogQLQuery', query: 'select 1 as one' }
    const sql = await createInsight(api, { query: { kind: 'DataVisualizationNode', source } })
    const paths = [
      `dashboards/${dashboard.id}`,
      'insights/new',
      `insights/${sql.short_id}`,
      'persons',
      'settings/project',
      'settings/account',
      'apps/source',
      'apps/connector',
    ]

    const wrong: [string, string, readonly string[]][] = []
    for (const path of paths) {
      const controls = await walk(page, `/project/${api.projectId}/${path}`)
      expect([path, controls.size > 12]).toEqual([path, true])
      for (const [control, rings] of controls) {
        if (rings.join() !== RING.join()) wrong.push([path, control, rings])
      }
    }

    expect(wrong).toEqual([])
  })

  it('shows the same ring before signing in', async () => {
    const { api } = await openWeb()
    const { page } = await openBrowser(api, { as: null })

    const controls = await walk(page, '/sign-in')

    expect(new Set([...controls.values()].map(String))).toEqual(new Set(RING))
  })
})
