import type { Template } from '../template.ts'
import { FIGURE, layOut } from './lay-out.ts'
import { anyEvents, events, figure, sqlTable, trend } from './queries.ts'

const FROM = '-30d'
const AGAINST = 'Compared with the previous 30 days.'

const DOLLARS = { aggregationAxisFormat: 'currency' }

const invoices = (math = 'total') => events('invoice_paid', math)
const revenue = (math: 'sum' | 'avg' = 'sum') =>
  events('invoice_paid', math, { math_property: 'amount', custom_name: 'Revenue' })

/** Uses the invoices of the Demo data app; replace them with those that you import. */
export const importsAndRevenue: Template = {
  name: 'Imports and revenue',
  description: 'Imported invoices, the customers who pay them, and the events that come in.',
  filters: {},
  tags: ['imports', 'revenue'],
  tiles: layOut([
    {
      name: 'Revenue',
      description: `Paid invoices in US dollars. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, revenue(), { settings: { ...DOLLARS, decimalPlaces: 0 } }),
    },
    {
      name: 'Paying customers',
      description: `Customers with a paid invoice. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, invoices('dau')),
    },
    {
      name: 'Average invoice',
      description: `In US dollars. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, revenue('avg'), { settings: DOLLARS }),
    },
    {
      name: 'Imported events',
      description: 'All events of the last 7 days, compared with the 7 days before.',
      ...FIGURE,
      query: figure('-7d', anyEvents()),
    },
    {
      name: 'Revenue per week, by plan',
      description: 'Paid invoices in US dollars.',
      w: 8,
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        breakdown: 'plan',
        series: [revenue()],
        settings: DOLLARS,
      }),
    },
    {
      name: 'Revenue by plan',
      description: 'The last 90 days.',
      w: 4,
      query: trend({
        from: '-90d',
        display: 'ActionsPie',
        breakdown: 'plan',
        series: [revenue()],
        settings: DOLLARS,
      }),
    },
    {
      name: 'Newest invoices',
      description: 'The last 50 paid invoices.',
      query: sqlTable(
        "select toDate(timestamp) as date, $group_0 as company, properties.plan as plan, toFloat(properties.amount) as amount from events where event = 'invoice_paid' order by timestamp desc, uuid limit 50",
      ),
    },
    {
      name: 'Largest customers',
      description: 'Companies by the total of their paid invoices.',
      query: sqlTable(
        "select $group_0 as company, max(properties.plan) as plan, count() as invoices, sum(toFloat(properties.amount)) as revenue from events where event = 'invoice_paid' group by company order by revenue desc, company limit 50",
        { tableCells: 'bars' },
      ),
    },
    {
      name: 'Subscriptions and cancellations',
      description: 'By week.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        series: [
          events('purchased', 'total', { custom_name: 'Subscriptions' }),
          events('subscription_canceled', 'total', { custom_name: 'Cancellations' }),
        ],
        settings: {
          resultCustomizations: {
            '{"series":0}': { color: 'preset-1' },
            '{"series":1}': { color: 'preset-3' },
          },
        },
      }),
    },
    {
      name: 'Events per hour',
      description: 'A gap can be an import that did not run.',
      query: trend({
        from: '-48h',
        interval: 'hour',
        display: 'ActionsBar',
        series: [anyEvents()],
      }),
    },
  ]),
}
