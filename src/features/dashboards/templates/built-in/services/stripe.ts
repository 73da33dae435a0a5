import type { Template } from '#server/features/dashboards/templates/template.ts'
import { layOut } from '../lay-out.ts'
import { events, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

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
    monthlyFigure('Charges', amount, {
      about: 'Amount of successful charges, in all currencies.',
      formula: IN_UNITS,
    }),
    monthlyFigure('Paying customers', charges('dau', succeeded), {
      about: 'Customers with a successful charge.',
    }),
    monthlyFigure('New customers', events('stripe_customer')),
    monthlyFigure('New subscriptions', events('stripe_subscription')),
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
