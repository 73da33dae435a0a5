import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'

const FROM = '-30d'
const AGAINST = 'Compared with the previous 30 days.'

export const hubspot: Template = {
  name: 'HubSpot',
  description: 'Contacts, companies and deals of the import app HubSpot.',
  filters: {},
  tags: ['imports', 'revenue'],
  tiles: layOut([
    {
      name: 'New contacts',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('hubspot_contact')),
    },
    {
      name: 'New companies',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('hubspot_company')),
    },
    {
      name: 'New deals',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('hubspot_deal')),
    },
    {
      name: 'Amount of new deals',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('hubspot_deal', 'sum', { math_property: 'properties.amount' })),
    },
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
