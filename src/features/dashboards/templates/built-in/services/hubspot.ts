import type { Template } from '#server/features/dashboards/templates/template.ts'
import { layOut } from '../lay-out.ts'
import { events, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

export const hubspot: Template = {
  name: 'HubSpot',
  description: 'Contacts, companies and deals of the import app HubSpot.',
  filters: {},
  tags: ['imports', 'revenue'],
  tiles: layOut([
    monthlyFigure('New contacts', events('hubspot_contact')),
    monthlyFigure('New companies', events('hubspot_company')),
    monthlyFigure('New deals', events('hubspot_deal')),
    monthlyFigure(
      'Amount of new deals',
      events('hubspot_deal', 'sum', { math_property: 'properties.amount' }),
    ),
    {
      name: 'Contacts and deals per week',
      description: 'By the day when they were created.',
      query: trend({
        from: '-90d',
        interval: 'week',
        series: [events('hubspot_contact'), events('hubspot_deal')],
      }),
    },
    {
      name: 'Contacts per week, by stage',
      description: 'Their stage when they were first imported.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        breakdown: 'properties.lifecyclestage',
        series: [events('hubspot_contact')],
      }),
    },
    {
      name: 'Newest contacts',
      description: 'The last 50 contacts.',
      query: sqlTable(
        "select timestamp, distinct_id as contact from events where event = 'hubspot_contact' order by timestamp desc, uuid limit 50",
      ),
    },
  ]),
}
