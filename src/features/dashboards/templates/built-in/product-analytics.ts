import type { Template, TemplateInsight } from '../template.ts'
import { pageviews, queryTile, trend } from './queries.ts'

const HEIGHT = 5

/** `row` is the position on a phone, which shows one tile below the other. */
const at = (x: number, y: number, row: number): Pick<TemplateInsight, 'type' | 'layouts'> => ({
  type: 'INSIGHT',
  layouts: {
    sm: { x, y, w: 6, h: HEIGHT, minW: 3, minH: HEIGHT },
    xs: { x: 0, y: row * HEIGHT, w: 1, h: HEIGHT, minW: 1, minH: HEIGHT },
  },
})

export const productAnalytics: Template = {
  name: 'Product analytics',
  description: '',
  filters: {},
  tags: [],
  tiles: [
    {
      name: 'Daily active users (DAUs)',
      description: 'Unique users per day.',
      color: 'blue',
      ...at(0, 0, 0),
      query: trend({ from: '-30d' }),
    },
    {
      name: 'Weekly active users (WAUs)',
      description: 'Unique users per week.',
      color: 'green',
      ...at(6, 0, 1),
      query: trend({ from: '-90d', interval: 'week' }),
    },
    {
      name: 'Retention',
      description: 'New users who return in the following weeks.',
      color: 'blue',
      ...at(6, 5, 2),
      query: queryTile({
        kind: 'RetentionQuery',
        dateRange: { date_from: '-7d' },
        retentionFilter: {
          period: 'Week',
          totalIntervals: 11,
          retentionType: 'retention_first_time',
          targetEntity: { id: '$pageview', name: '$pageview', type: 'events' },
          returningEntity: { id: '$pageview', name: '$pageview', type: 'events' },
        },
      }),
    },
    {
      name: 'Growth accounting',
      description: 'New, returning, resurrecting and dormant users.',
      color: 'purple',
      ...at(0, 5, 3),
      query: queryTile({
        kind: 'LifecycleQuery',
        series: [pageviews()],
        interval: 'week',
        dateRange: { date_from: '-30d' },
      }),
    },
    {
      name: 'Referring domain (last 14 days)',
      description: 'Users by referring domain.',
      color: 'black',
      ...at(0, 10, 4),
      query: trend({
        from: '-14d',
        display: 'ActionsBarValue',
        breakdown: '$referring_domain',
      }),
    },
    {
      name: 'Pageview funnel, by browser',
      description: 'Users who view a second and a third page.',
      color: 'green',
      ...at(6, 10, 5),
      query: queryTile({
        kind: 'FunnelsQuery',
        series: ['First', 'Second', 'Third'].map((nth) =>
          pageviews('total', { custom_name: `${nth} page view` }),
        ),
        dateRange: { date_from: '-7d' },
        breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
        funnelsFilter: { funnelOrderType: 'ordered', funnelVizType: 'steps' },
      }),
    },
  ],
}
