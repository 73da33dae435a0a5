import { createQuery } from '../table/query.ts'
import { type Database, parseTableName, tableNotFound } from '../table/table.ts'
import { createBatches } from './batches.ts'
import { quoteName, toValue } from './values.ts'

const COLUMNS = `
  select table_schema as v0, table_name as v1, column_name as v2, column_type as v3, data_type as v4
  from information_schema.columns
  where table_name = ? and table_schema = coalesce(?, database())
  order by ordinal_position`

/** The types whose values are numbers, and those whose values are JSON, by PostgreSQL's letters. */
const CATEGORIES: Readonly<Record<string, string>> = {
  ...{ tinyint: 'N', smallint: 'N', mediumint: 'N', int: 'N', bigint: 'N', year: 'N', bit: 'N' },
  ...{ decimal: 'N', float: 'N', double: 'N', json: 'J' },
}

export const MYSQL: Database = {
  example: 'mysql://user:password@host/database',
  async open(app, connection, text) {
    const query = createQuery(app, 'mysql', connection)
    const { schema, name } = parseTableName(text)
    const rows = await query(COLUMNS, [name, schema ?? null])
    const [first] = rows
    if (!first) throw tableNotFound(text)
    const reference = `${quoteName(String(first.v0))}.${quoteName(String(first.v1))}`
    const columns = rows.map(({ v2, v3, v4 }) => {
      const base = String(v4).toLowerCase()
      return {
        name: String(v2),
        type: String(v3).toLowerCase(),
        base,
        category: CATEGORIES[base] ?? 'S',
      }
    })
    return {
      reference,
      columns,
      createBatches: (cursor) => createBatches(query, { reference, columns }, cursor),
      toValue,
    }
  },
}
