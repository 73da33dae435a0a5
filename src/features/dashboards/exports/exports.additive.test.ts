import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addEvents, doing } from '../../../../test/support/data/persons.ts'
import { until } from '../../../../test/support/until.ts'

const AT = { timestamp: '2026-03-16T10:00:00.000Z' }
const pages = Array.from({ length: 12 }, (_, at) => `/page-${at}`)

/** One person visits twelve pages, so the numbers of unique persons add up to twelve. */
async function start(math: string, display: string) {
  const api = await useApp()
  await addEvents(api, ...pages.map((page) => doing('ada', { event: 'visit', page, ...AT })))
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'visit', math }],
    dateRange: { date_from: '2026-03-16', date_to: '2026-03-17' },
    breakdownFilter: { breakdown: 'page' },
    trendsFilter: { display },
  }
  const { id, tiles } = await createDashboard(api, {
    name: 'Pages',
    tiles: [{ insight: { query } }],
  })
  const { body: link } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${OWNER.apiKey}` }
    return (
      await fetch(path.startsWith('/') ? api.url + path : api.address(path), { headers })
    ).text()
  }
  const insight = `insights/${tiles[0].insight.short_id}`
  return {
    svg: await read(`${insight}/export.svg`),
    csv: await read(`${insight}/export.csv`),
    page: await until(async () => {
      const page = await read(`/shared/${link.access_token}`)
      return !page.includes('http-equiv="refresh"') && page
    }),
  }
}

it.each(['ActionsPie', 'ActionsBar'])(
  'adds up the events of the remaining values, and never their persons: %s',
  async (display) => {
    const events = await start('total', display)
    const persons = await start('dau', display)

    for (const drawn of [events.svg, events.page]) expect(drawn).toContain('Other (5)')
    for (const drawn of [persons.svg, persons.page]) {
      expect(drawn).not.toContain('Other')
      expect(drawn).toContain('+4 more')
    }
    for (const page of pages) expect(persons.csv).toContain(page)
    expect(persons.csv).not.toContain('Other')
  },
)
