import { rowsTemplate } from './rows.ts'

export const webhook = rowsTemplate({
  name: 'Webhook',
  event: 'webhook',
  noun: 'Requests',
  time: 'By the time of the request, or the one in it.',
  from: '-90d',
})
