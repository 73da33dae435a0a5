import { rowsTemplate } from './rows.ts'

const tableTemplate = (name: string) =>
  rowsTemplate({
    ...{ name, event: 'imported', noun: 'Rows' },
    ...{ time: 'By the time column.', from: '-180d' },
  })

export const postgresTable = tableTemplate('PostgreSQL table')
export const mysqlTable = tableTemplate('MySQL or MariaDB table')
