import type { Template } from '#server/features/dashboards/templates/template.ts'
import { FIGURE, layOut } from '../lay-out.ts'
import { events, figure, sqlTable, trend } from '../queries.ts'

const FROM = '-30d'
const AGAINST = 'Compared with the previous 30 days.'

export const zendesk: Template = {
  name: 'Zendesk',
  description: 'Tickets and ratings of the import app Zendesk.',
  filters: {},
  tags: ['imports', 'support'],
  tiles: layOut([
    {
      name: 'New tickets',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('zendesk_ticket')),
    },
    {
      name: 'People with a ticket',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('zendesk_ticket', 'dau')),
    },
    {
      name: 'New users',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('zendesk_user')),
    },
    {
      name: 'Ratings',
      description: AGAINST,
      ...FIGURE,
      query: figure(FROM, events('zendesk_rating')),
    },
    {
      name: 'Tickets per week, by priority',
      description: 'Their priority when they were first imported.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        breakdown: 'priority',
        series: [events('zendesk_ticket')],
      }),
    },
    {
      name: 'Ratings per week, by score',
      description: 'Offered, good and bad.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        breakdown: 'score',
        series: [events('zendesk_rating')],
      }),
    },
    {
      name: 'Newest tickets',
      description: 'The last 50, as they were first imported.',
      query: sqlTable(
        "select timestamp, distinct_id as requester, properties.subject as subject, properties.status as status from events where event = 'zendesk_ticket' order by timestamp desc, uuid limit 50",
      ),
    },
  ]),
}
