import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { toEvent } from '../support/data/queries.ts'
import { daysAgo } from '../support/data/visits.ts'
import { openWeb } from './browser.ts'
import { pageOf } from './dashboard.ts'

const PATHS = {
  kind: 'InsightVizNode',
  source: {
    kind: 'PathsQuery',
    dateRange: { date_from: '-30d' },
    pathsFilter: { includeEventTypes: ['custom_event'] },
  },
}

const EVENTS = ['visit', 'sign up'].map((event, at) =>
  toEvent({ event, person: 'ada', at: daysAgo(1 - at / 1440) }),
)

/** Waits for the name of a step, which only the part of the renderer that loads with paths draws. */
const seesPaths = (page: Page, chart: string) =>
  page.locator(`${chart} svg text`, { hasText: 'sign up 1' }).first().waitFor()

describe('paths', () => {
  it('are drawn on a dashboard and on its shared page', async () => {
    const { api, page, problems } = await openWeb()
    await api.services.events.append(api.projectId, EVENTS)
    const layouts = { sm: { x: 0, y: 0, w: 12, h: 5 } }
    const tile = { insight: { name: 'Routes', query: PATHS }, layouts }
    const { id } = await createDashboard(api, { name: 'Paths', tiles: [tile] })
    const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })

    await page.goto(pageOf(api, id))
    await seesPaths(page, 'article')
    await page.goto(`/shared/${body.access_token}`)
    await seesPaths(page, '.live')

    expect(problems).toEqual([])
  })
})
