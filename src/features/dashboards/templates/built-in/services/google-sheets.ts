import { rowsTemplate } from './rows.ts'

export const googleSheets = rowsTemplate({
  name: 'Google Sheets',
  event: 'sheet row',
  noun: 'Rows',
  time: 'By the time column.',
  from: '-180d',
})
