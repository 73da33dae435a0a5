import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'

const series = [{ kind: 'EventsNode', event: 'visit' }]
const dateRange = { date_from: '2026-03-16', date_to: '2026-03-17' }
const of = (source: object, point: object = {}) => ({
  source: { kind: 'InsightActorsQuery', source, ...point },
})
const trend = (point: object, more: object = {}) =>
  of({ kind: 'TrendsQuery', series, dateRange, ...more }, point)
const funnel = (point: object, more: object = {}) => ({
  source: {
    kind: 'FunnelsActorsQuery',
    source: { kind: 'FunnelsQuery', series: [...series, ...series], dateRange, ...more },
    ...point,
  },
})
const lifecycle = (point: object) => of({ kind: 'LifecycleQuery', series, dateRange }, point)
const stickiness = (point: object) => of({ kind: 'StickinessQuery', series, dateRange }, point)
const retention = (point: object) =>
  of({ kind: 'RetentionQuery', retentionFilter: { totalIntervals: 2 } }, point)
const paths = (pathsFilter: object) => of({ kind: 'PathsQuery', dateRange, pathsFilter })
const times = { funnelsFilter: { funnelVizType: 'time_to_convert' } }
const overTime = { funnelsFilter: { funnelVizType: 'trends' } }

describe('a query for persons', () => {
  it.each<[attr: string, query: object]>([
    // the query itself
    ['select__0', { select: ['matched_recordings'] }],
    ['select__1', { select: ['actor', 'event_count'] }],
    ['select__0', { ...trend({}), select: ['group'] }],
    ['select__0', { select: ['toString'] }],
    ['orderBy__0', { orderBy: ['actor'] }],
    ['orderBy__0', { orderBy: ['random() DESC'] }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 1001 }],
    ['offset', { offset: -1 }],
    ['properties__0__type', { properties: [{ key: 'a', value: 'b', type: 'event' }] }],
    ['fixedProperties__0__type', { fixedProperties: [{ key: 'a', value: 'b', type: 'event' }] }],
    ['properties__0__value', { properties: [{ key: 'id', value: 999, type: 'cohort' }] }],
    ['strict', { strict: true }],
    // sources
    ['source', { source: 'events' }],
    ['source__kind', { source: { kind: 'EventsQuery' } }],
    ['source__kind', { source: { kind: 'TrendsQuery', series } }],
    ['source__source', { source: { kind: 'InsightActorsQuery' } }],
    ['source__source__kind', of({ kind: 'FunnelsQuery', series: [...series, ...series] })],
    ['source__source__kind', of({ kind: 'HogQLQuery', query: 'select person_id from events' })],
    ['source__source__series', of({ kind: 'TrendsQuery' })],
    ['source__source__samplingFactor', trend({}, { samplingFactor: 0.1 })],
    ['source__includeRecordings', trend({ includeRecordings: true })],
    ['source__query', { source: { kind: 'HogQLQuery', query: 'select event from events' } }],
    ['source__query', { source: { kind: 'HogQLQuery', query: 'select 1 as person_id' } }],
    ['source__query', { source: { kind: 'HogQLQuery', query: 'select person_id from files' } }],
    // fields that choose nothing
    ['source__status', trend({ status: 'new' })],
    ['source__interval', trend({ interval: 0 })],
    ['source__series', lifecycle({ day: '2026-03-16', status: 'new', series: 1 })],
    ['source__day', retention({ day: '2026-03-16' })],
    ['source__breakdown', stickiness({ day: 1, breakdown: 'a' })],
    ['source__funnelStep', trend({ funnelStep: 1 })],
    ['source__funnelCustomSteps', funnel({ funnelCustomSteps: [1] })],
    // numbers that the result does not have
    ['source__series', trend({ series: 1 })],
    ['source__day', trend({ day: '2026-03-15' })],
    ['source__day', trend({ day: '2026-03-16 12:00:00' })],
    ['source__day', trend({ day: '-1d' })],
    ['source__day', trend({ day: '2026-03-16' }, { trendsFilter: { display: 'BoldNumber' } })],
    ['source__breakdown', trend({ breakdown: 'a' })],
    ['source__compare', trend({ compare: 'previous' })],
    ['source__compare', trend({ compare: 'next' })],
    ['source__day', lifecycle({ status: 'new' })],
    ['source__status', lifecycle({ day: '2026-03-16' })],
    ['source__status', lifecycle({ day: '2026-03-16', status: 'gone' })],
    ['source__day', stickiness({})],
    ['source__day', stickiness({ day: 3 })],
    ['source__series', stickiness({ day: 1, series: 1 })],
    ['source__interval', retention({ interval: 2 })],
    ['source__returned', retention({ interval: 1, returned: 1 })],
    ['source__source__pathsFilter__pathStartKey', paths({ pathStartKey: '/home' })],
    ['source__source__pathsFilter__pathEndKey', paths({ pathStartKey: '1_/', pathEndKey: '3_/' })],
    ['source__funnelStep', funnel({})],
    ['source__funnelStep', funnel({ funnelStep: 0 })],
    ['source__funnelStep', funnel({ funnelStep: 3 })],
    ['source__funnelStep', funnel({ funnelStep: -1 })],
    ['source__funnelStepBreakdown', funnel({ funnelStep: 1, funnelStepBreakdown: 'a' })],
    ['source__funnelTrendsDropOff', funnel({ funnelStep: 1, funnelTrendsDropOff: true })],
    ['source__funnelTrendsEntrancePeriodStart', funnel({}, overTime)],
    [
      'source__funnelTrendsEntrancePeriodStart',
      funnel({ funnelTrendsEntrancePeriodStart: '2026-03-18' }, overTime),
    ],
    ['source__funnelStep', funnel({ funnelStep: 1 }, overTime)],
    ['source__funnelStep', funnel({ funnelStep: 1, funnelTimeFrom: 0 }, times)],
    ['source__funnelTimeFrom', funnel({}, times)],
    ['source__funnelTimeTo', funnel({ funnelTimeFrom: 5, funnelTimeTo: 5 }, times)],
    [
      'source__funnelTrendsDropOff',
      funnel({ funnelTimeFrom: 5, funnelTrendsDropOff: true }, times),
    ],
    ['source__funnelTimeFrom', funnel({ funnelStep: 1, funnelTimeFrom: 0 })],
  ])('is refused with an invalid %s: %j', async (attr, query) => {
    const api = await useApp()

    const { status, body } = await api.post(QUERY, { query: { kind: 'ActorsQuery', ...query } })

    expect([status, body.attr]).toEqual([400, `query__${attr}`])
  })

  it('accepts options without effect and an enclosing node', async () => {
    const api = await useApp()
    const source = trend({ status: null, includeRecordings: false, breakdown: null }).source
    const query = { kind: 'ActorsQuery', source, search: '', properties: [], tags: {} }

    const { status, body } = await api.post(QUERY, {
      query: { kind: 'DataTableNode', source: query },
    })

    expect([status, body.results]).toEqual([200, []])
  })
})
