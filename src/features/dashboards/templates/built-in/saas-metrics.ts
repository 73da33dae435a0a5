import type { Template } from '../template.ts'
import { layOut } from './lay-out.ts'
import { anyEvents, events, pageviews, queryTile, trend } from './queries.ts'

const purchases = (math: 'sum' | 'avg') => events('purchased', math, { math_property: 'amount' })

const entity = (event: string) => ({ id: event, name: event, type: 'events' })

/** Uses the events of the Demo data app; replace them with those of your product. */
export const saasMetrics: Template = {
  name: 'SaaS metrics',
  description: 'Sign-ups, activation, revenue and retention.',
  filters: {},
  tags: ['growth'],
  tiles: layOut([
    {
      name: 'Sign-ups',
      description: 'New accounts, compared with the previous 30 days.',
      color: 'blue',
      query: trend({ from: '-30d', compare: true, series: [events('signed_up')] }),
    },
    {
      name: 'Sign-ups per visitor',
      description: 'The share of visitors who create an account.',
      query: trend({
        from: '-30d',
        series: [events('signed_up', 'dau'), pageviews('dau')],
        formula: 'A / B',
      }),
    },
    {
      name: 'Activation funnel',
      description: 'From sign-up to first project to purchase, within 28 days.',
      color: 'green',
      w: 12,
      query: queryTile({
        kind: 'FunnelsQuery',
        series: [
          events('signed_up', 'total', { custom_name: 'Signed up' }),
          events('project_created', 'total', { custom_name: 'Created a project' }),
          events('purchased', 'total', { custom_name: 'Bought a plan' }),
        ],
        dateRange: { date_from: '-90d' },
        funnelsFilter: {
          funnelOrderType: 'ordered',
          funnelVizType: 'steps',
          funnelWindowInterval: 28,
          funnelWindowIntervalUnit: 'day',
        },
      }),
    },
    {
      name: 'Weekly retention',
      description: 'Users who completed a task in the weeks after they signed up.',
      w: 12,
      h: 7,
      query: queryTile({
        kind: 'RetentionQuery',
        dateRange: { date_from: '-8w' },
        retentionFilter: {
          period: 'Week',
          totalIntervals: 8,
          retentionType: 'retention_first_time',
          targetEntity: entity('signed_up'),
          returningEntity: entity('task_completed'),
        },
      }),
    },
    {
      name: 'Revenue (last 30 days)',
      description: 'Total purchases, compared with the previous 30 days.',
      color: 'purple',
      query: trend({
        from: '-30d',
        display: 'BoldNumber',
        compare: true,
        series: [purchases('sum')],
      }),
    },
    {
      name: 'Revenue per week',
      description: 'Total purchases by week.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        series: [purchases('sum')],
      }),
    },
    {
      name: 'Plans',
      description: 'Purchases by plan.',
      query: trend({
        from: '-90d',
        display: 'ActionsPie',
        breakdown: 'plan',
        series: [events('purchased')],
      }),
    },
    {
      name: 'Average purchase',
      description: 'Average purchase amount by week.',
      query: trend({ from: '-90d', interval: 'week', series: [purchases('avg')] }),
    },
    {
      name: 'Active users',
      description: 'Users with any event in the last 7 and 30 days.',
      query: trend({
        from: '-30d',
        series: [
          anyEvents('weekly_active', { custom_name: 'Weekly' }),
          anyEvents('monthly_active', { custom_name: 'Monthly' }),
        ],
      }),
    },
    {
      name: 'Stickiness',
      description: 'Number of days on which users completed a task, in the last 30 days.',
      query: queryTile({
        kind: 'StickinessQuery',
        series: [events('task_completed')],
        interval: 'day',
        dateRange: { date_from: '-30d' },
        stickinessFilter: { display: 'ActionsBar' },
      }),
    },
  ]),
}
