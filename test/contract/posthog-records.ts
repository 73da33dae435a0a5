const cohort = (id: number, name: string, condition: object) => ({
  ...{ id, name, description: '', is_static: false, deleted: false },
  filters: { properties: { type: 'AND', values: [condition] } },
})

const insight = (id: number, name: string, source: object) => ({
  ...{ id, name, short_id: `abc${id}`, derived_name: null, description: '', deleted: false },
  ...{ saved: true, favorited: false, tags: [] as string[], result: null },
  query: { kind: 'InsightVizNode', source, version: 2 },
})

const inCohort = (value: number) => ({ type: 'cohort', key: 'id', operator: 'in', value })
const PAGEVIEWS = { kind: 'EventsNode', event: '$pageview', name: '$pageview', math: 'dau' }

const DASHBOARD = {
  ...{ id: 5, name: 'Growth', description: '', pinned: true, tags: ['weekly'], deleted: false },
  ...{ filters: { date_from: '-30d' }, variables: {} },
}

/** Responses in the shape of PostHog's API, by path. Lists are whole here. */
export const RECORDS: Readonly<Record<string, object>> = {
  '/api/projects/12345/actions/': [
    action(3, 'Bought', { event: 'order placed', url: '/shop', url_matching: 'contains' }),
    action(4, 'Clicks', { event: '$autocapture', selector: '.buy' }),
  ],
  '/api/projects/12345/cohorts/': [
    cohort(33, 'Regulars', {
      ...{ type: 'behavioral', key: '$pageview', value: 'performed_event_regularly' },
      ...{ time_value: 30, time_interval: 'day', total_periods: 3, min_periods: 2 },
    }),
    cohort(32, 'Paying friends', inCohort(30)),
    { ...cohort(31, 'Friends', {}), is_static: true, filters: {} },
    cohort(30, 'Paying', { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }),
  ],
  '/api/projects/12345/cohorts/31/persons/': [
    { id: 1, distinct_ids: ['ada', 'phone'] },
    { id: 2, distinct_ids: ['grace'] },
    { id: 3, distinct_ids: ['linus'] },
  ],
  '/api/projects/12345/insights/': [
    {
      ...insight(811, 'Visitors', {
        ...{
          kind: 'TrendsQuery',
          series: [PAGEVIEWS],
          interval: 'day',
          properties: [inCohort(30)],
        },
        ...{ dateRange: { date_from: '-30d', date_to: null, explicitDate: false } },
        ...{ breakdownFilter: { breakdown_type: 'cohort', breakdown: [30, 'all'] } },
        ...{ trendsFilter: { display: 'ActionsLineGraph', showLegend: true }, version: 2 },
      }),
      ...{ tags: ['web'], favorited: true },
    },
    insight(812, 'Clicks', { kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 4 }] }),
    insight(814, 'Buyers', { kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 3 }] }),
    insight(813, 'Regulars by day', {
      ...{ kind: 'TrendsQuery', series: [PAGEVIEWS], properties: [inCohort(33)] },
    }),
    insight(840, 'Visits', { kind: 'WebVitalsQuery', properties: [] }),
    { ...insight(841, 'Deleted', { kind: 'TrendsQuery', series: [PAGEVIEWS] }), deleted: true },
  ],
  '/api/projects/12345/dashboards/': [DASHBOARD],
  '/api/projects/12345/dashboards/5/': {
    ...DASHBOARD,
    tiles: [
      {
        ...{ id: 1, color: 'blue', layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } }, text: null },
        insight: { id: 811, name: 'Visitors' },
      },
      {
        ...{ id: 2, color: null, layouts: { sm: { x: 0, y: 5, w: 6, h: 5 } }, text: null },
        insight: { id: 812, name: 'Clicks' },
      },
      {
        ...{ id: 3, color: null, layouts: { sm: { x: 6, y: 0, w: 6, h: 5 } }, insight: null },
        text: { id: 1, body: 'Numbers of the **website**.' },
      },
    ],
  },
  '/api/projects/12345/annotations/': [
    annotation(3, 'Release 1', '2026-03-01T09:00:00Z', { scope: 'project' }),
    annotation(4, 'Clicks moved', '2026-03-02T09:00:00Z', {
      ...{ scope: 'dashboard_item', dashboard_item: 812 },
    }),
    annotation(5, 'Release 2', '2026-03-03T09:00:00Z', {
      ...{ scope: 'dashboard_item', dashboard_item: 811 },
    }),
  ],
}

function action(id: number, name: string, step: object) {
  const element = { selector: null, tag_name: null, href: null, href_matching: null, text: null }
  return {
    ...{ id, name, description: '', tags: [], post_to_slack: false, deleted: false },
    steps: [{ ...element, text_matching: null, properties: [], ...step }],
  }
}

function annotation(id: number, content: string, date_marker: string, place: object) {
  const nowhere = { dashboard_item: null, dashboard_id: null }
  return {
    ...{ id, content, date_marker, creation_type: 'USR', deleted: false },
    ...nowhere,
    ...place,
  }
}
