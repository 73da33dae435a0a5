import type { Exchange } from './exchange.ts'

export const DASHBOARDS = '/api/projects/$project/dashboards/'
export const INSIGHTS = '/api/projects/$project/insights/'

export const QUERY = {
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$$pageview', math: 'dau' }],
    interval: 'day',
    dateRange: { date_from: '-30d' },
  },
}

export const createDashboard: Exchange = {
  step: 'prepare',
  send: `POST ${DASHBOARDS}`,
  body: { name: 'Growth' },
  saves: { dashboard: 'id' },
}

export const createInsight: Exchange = {
  step: 'prepare',
  send: `POST ${INSIGHTS}`,
  body: { name: 'Daily visitors', query: QUERY },
  saves: { insight: 'id' },
}
