import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'

const FROM = '-30d'
const AGAINST = 'Compared with the previous 30 days.'

const charges = (math = 'total', more = {}) => events('stripe_charge', math, more)
const succeeded = {
  properties: [{ key: 'status', value: ['succeeded'], operator: 'exact', type: 'event' }],
}
const amount = charges('sum', { math_property: 'amount', custom_name: 'Charges', ...succeeded })

/** Stripe counts in the smallest unit of a currency; all but a few currencies have 100 of them. */
const IN_UNITS = 'A / 100'

export const stripe: Template = {
  name: 'Stripe',
  description: 'Charges, customers and subscriptions of the import app Stripe.',
  filters: {},
  tags: ['imports', 'revenue'],
  tiles: layOut([
    {
      name: 'Charges',
      description: `Amount of successful charges, in all currencies. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, amount, IN_UNITS),
    },
    {
      name: 'Paying customers',
      description: `Customers with a successful charge. ${AGAINST}`,
      ...FIGURE,
      query: figure(FROM, charges('dau', succeeded)),
    },
    {
      name: 'New customers',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('stripe_customer')),
    },
    {
      name: 'New subscriptions',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('stripe_subscription')),
    },
    {
      name: 'Charges per week, by currency',
      description: 'Amount of successful charges.',
      w: 8,
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        breakdown: 'currency',
        series: [amount],
        formula: IN_UNITS,
      }),
    },
    {
      name: 'Charges by status',
      description: 'The last 90 days.',
      w: 4,
      query: trend({
        from: '-90d',
        display: 'ActionsPie',
        breakdown: 'status',
        series: [charges()],
      }),
    },
    {
      name: 'Charges and refunds per week',
      description: 'How many.',
      query: trend({
        from: '-90d',
        interval: 'week',
        series: [charges(), events('stripe_refund')],
      }),
    },
    {
      name: 'Newest charges',
      description: 'The last 50 charges.',
      query: sqlTable(
        "select timestamp, distinct_id as customer, toFloat(properties.amount) / 100 as amount, properties.currency as currency, properties.status as status from events where event = 'stripe_charge' order by timestamp desc, uuid limit 50",
      ),
    },
  ]),
}
