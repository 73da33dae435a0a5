import type { Template } from '../template.ts'
import { layOut } from './lay-out.ts'
import { anyEvents, events, insight, pageviews, trend } from './queries.ts'

const purchases = (math: 'sum' | 'avg') => events('purchased', math, { math_property: 'amount' })

const entity = (event: string) => ({ id: event, name: event, type: 'events' })

/** In the words of the Demo data app: change the events to those of your own product. */
export const saasMetrics: Template = {
  name: 'SaaS metrics',
  description: 'From the first visit to the purchase, and who stays.',
  filters: {},
  tags: ['growth'],
  tiles: layOut([
    {
      name: 'Sign-ups',
      description: 'New accounts, beside the 30 days before.',
      color: 'blue',
      query: trend({ from: '-30d', compare: true, series: [events('signed_up')] }),
    },
    {
      name: 'Sign-ups per visitor',
      description: 'Which part of those who look at a page makes an account.',
      query: trend({
        from: '-30d',
        series: [events('signed_up', 'dau'), pageviews('dau')],
        formula: 'A / B',
      }),
    },
    {
      name: 'Activation funnel',
      description: 'From the account to the first project to the purchase, within 28 days.',
      color: 'green',
      w: 12,
      query: insight({
        kind: 'FunnelsQuery',
        series: [
          events('signed_up', 'total', { custom_name: 'Signed up' }),
          events('project_created', 'total', { custom_name: 'Made a project' }),
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
      description:
        'Of those who signed up in a week, how many get something done in the next ones.',
      w: 12,
      h: 7,
      query: insight({
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
      name: 'Revenue of the last 30 days',
      description: 'The sum of what was paid, beside the 30 days before.',
      color: 'purple',
      query: trend({
        ...{ from: '-30d', display: 'BoldNumber', compare: true },
        series: [purchases('sum')],
      }),
    },
    {
      name: 'Revenue per week',
      description: 'The sum of what was paid.',
      query: trend({
        ...{ from: '-90d', interval: 'week', display: 'ActionsBar' },
        series: [purchases('sum')],
      }),
    },
    {
      name: 'Plans',
      description: 'Which plans are bought.',
      query: trend({
        ...{ from: '-90d', display: 'ActionsPie', breakdown: 'plan' },
        series: [events('purchased')],
      }),
    },
    {
      name: 'Average purchase',
      description: 'What a purchase brings, by week.',
      query: trend({ from: '-90d', interval: 'week', series: [purchases('avg')] }),
    },
    {
      name: 'Active people',
      description: 'Who did anything in the 7 and in the 30 days before.',
      query: trend({
        from: '-30d',
        series: [
          anyEvents('weekly_active', { custom_name: 'In a week' }),
          anyEvents('monthly_active', { custom_name: 'In a month' }),
        ],
      }),
    },
    {
      name: 'Stickiness',
      description: 'On how many days of the last 30 people get something done.',
      query: insight({
        kind: 'StickinessQuery',
        series: [events('task_completed')],
        interval: 'day',
        dateRange: { date_from: '-30d' },
        stickinessFilter: { display: 'ActionsBar' },
      }),
    },
  ]),
}
