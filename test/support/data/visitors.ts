import { type TestApp, useApp } from '../app/app.ts'
import { type TestEvent, toEvent } from './queries.ts'

/** Ada has two IDs and buys; Bob visits on both days; Cy has no profile. */
const EVENTS: readonly TestEvent[] = [
  { event: 'visit', person: 'anon', at: '2026-03-16T10:00:00Z', properties: { page: 'a' } },
  { event: 'visit', person: 'ada', at: '2026-03-16T11:00:00Z', properties: { page: 'b' } },
  {
    event: '$identify',
    person: 'ada',
    at: '2026-03-16T11:30:00Z',
    properties: { $anon_distinct_id: 'anon', $set: { plan: 'pro', email: 'ada@a.example' } },
  },
  { event: 'buy', person: 'ada', at: '2026-03-16T12:00:00Z' },
  { event: 'visit', person: 'bob', at: '2026-03-16T09:00:00Z', properties: { page: 'a' } },
  { event: 'visit', person: 'bob', at: '2026-03-17T10:00:00Z', properties: { page: 'c' } },
  {
    event: 'visit',
    person: 'cy',
    at: '2026-03-17T12:00:00Z',
    properties: { $process_person_profile: false },
  },
]

export const dateRange = { date_from: '2026-03-16', date_to: '2026-03-17' }
export const visit = { kind: 'EventsNode', event: 'visit' }
export const trend = (more: object = {}) => ({
  kind: 'TrendsQuery',
  series: [visit],
  dateRange,
  ...more,
})
export const insight = (source: object, point: object = {}) => ({
  kind: 'InsightActorsQuery',
  source,
  ...point,
})
const funnel = (more: object = {}) => ({
  kind: 'FunnelsQuery',
  series: [visit, { kind: 'EventsNode', event: 'buy' }],
  dateRange,
  ...more,
})
export const step = (point: object, more: object = {}) => ({
  kind: 'FunnelsActorsQuery',
  source: funnel(more),
  ...point,
})

/** Starts a project with these events. */
export async function startProject(): Promise<TestApp> {
  const api = await useApp()
  await api.services.events.append(api.projectId, EVENTS.map(toEvent))
  return api
}
