import { rowsTemplate } from './rows.ts'

export const airtable = rowsTemplate({
  name: 'Airtable',
  event: 'airtable record',
  noun: 'Records',
  time: 'By the time when they were created.',
  from: '-90d',
})
