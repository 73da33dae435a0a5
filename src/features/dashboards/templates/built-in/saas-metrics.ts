import type { Template } from '../template.ts'
import { FIGURE, layOut } from './lay-out.ts'
import { anyEvents, events, figure, pageviews, queryTile, trend } from './queries.ts'

const FROM = '-30d'
const AGAINST = 'Compared with the previous 30 days.'

const entity = (event: string) => ({ id: event, name: event, type: 'events' })

/** Uses the events of the Demo data app; replace them with those of your product. */
export const saasMetrics: Template = {
  name: 'SaaS metrics',
  description: 'Sign-ups, activation, subscriptions and retention.',
  filters: {},
  tags: ['growth'],
  tiles: layOut([
    {
      name: 'Sign-ups',
      description: `New accounts. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, events('signed_up')),
    },
    {
      name: 'First projects',
      description: `Users who created a project. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, events('project_created', 'dau')),
    },
    {
      name: 'New subscriptions',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('purchased')),
    },
    {
      name: 'Active users',
      description: `Users who completed a task. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, events('task_completed', 'dau')),
    },
    {
      name: 'Sign-ups per day',
      description: 'New accounts, compared with the previous 30 days.',
      query: trend({
        from: FROM,
        compare: true,
        series: [events('signed_up', 'total', { custom_name: 'Sign-ups' })],
      }),
    },
    {
      name: 'Weekly and monthly active users',
      description: 'Users with any event in the last 7 and 30 days.',
      query: trend({
        from: FROM,
        series: [
          anyEvents('weekly_active', { custom_name: 'Weekly' }),
          anyEvents('monthly_active', { custom_name: 'Monthly' }),
        ],
      }),
    },
    {
      name: 'Activation funnel',
      description: 'From sign-up to first project to subscription, within 28 days.',
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
      query: queryTile({
        kind: 'RetentionQuery',
        dateRange: { date_from: '-7w' },
        retentionFilter: {
          period: 'Week',
          totalIntervals: 7,
          retentionType: 'retention_first_time',
          targetEntity: entity('signed_up'),
          returningEntity: entity('task_completed'),
        },
      }),
    },
    {
      name: 'Sign-ups per visitor',
      description: 'The share of visitors who create an account, by week.',
      w: 4,
      h: 4,
      query: trend({
        from: '-90d',
        interval: 'week',
        series: [events('signed_up', 'dau'), pageviews('dau')],
        formula: 'A / B',
        settings: { aggregationAxisFormat: 'percentage_scaled' },
      }),
    },
    {
      name: 'Plans',
      description: 'Subscriptions by plan.',
      w: 4,
      h: 4,
      query: trend({
        from: '-90d',
        display: 'ActionsPie',
        breakdown: 'plan',
        series: [events('purchased')],
      }),
    },
    {
      name: 'Stickiness',
      description: 'Number of weeks in which users completed a task, in the last 90 days.',
      w: 4,
      h: 4,
      query: queryTile({
        kind: 'StickinessQuery',
        series: [events('task_completed')],
        interval: 'week',
        dateRange: { date_from: '-90d' },
        stickinessFilter: { display: 'ActionsBar' },
      }),
    },
    {
      name: 'New and returning users',
      description: 'New, returning, resurrecting and dormant users by week.',
      w: 12,
      query: queryTile({
        kind: 'LifecycleQuery',
        series: [events('task_completed')],
        interval: 'week',
        dateRange: { date_from: '-90d' },
      }),
    },
  ]),
}
