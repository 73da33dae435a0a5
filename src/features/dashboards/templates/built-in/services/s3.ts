import { rowsTemplate } from './rows.ts'

export const s3 = rowsTemplate({
  name: 'S3 files',
  event: 'file row',
  noun: 'Rows',
  time: 'By the time field.',
  from: '-180d',
})
