import type { Template } from '#server/features/dashboards/templates/template.ts'
import { layOut } from '../lay-out.ts'
import { events, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

export const zendesk: Template = {
  name: 'Zendesk',
  description: 'Tickets and ratings of the import app Zendesk.',
  filters: {},
  tags: ['imports', 'support'],
  tiles: layOut([
    monthlyFigure('New tickets', events('zendesk_ticket')),
    monthlyFigure('People with a ticket', events('zendesk_ticket', 'dau')),
    monthlyFigure('New users', events('zendesk_user')),
    monthlyFigure('Ratings', events('zendesk_rating')),
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
