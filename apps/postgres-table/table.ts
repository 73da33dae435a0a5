import { createQuery } from '../table/query.ts'
import { type Database, parseTableName, tableNotFound } from '../table/table.ts'
import { createBatches } from './batches.ts'
import { quoteName } from './names.ts'
import { toValue } from './values.ts'

const COLUMNS = `
  select n.nspname as schema, c.relname as table, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type,
    coalesce(b.typname, t.typname) as base, t.typcategory as category
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type b on b.oid = t.typbasetype
  where c.relname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and case when $2::text is null then pg_table_is_visible(c.oid) else n.nspname = $2 end
  order by a.attnum`

export const POSTGRES: Database = {
  example: 'postgres://user:password@host/database',
  async open(app, connection, text) {
    const query = createQuery(app, 'postgres', connection)
    const { schema, name } = parseTableName(text)
    const rows = await query(COLUMNS, [name, schema ?? null])
    const [first] = rows
    if (!first) throw tableNotFound(text)
    const reference = `${quoteName(String(first.schema))}.${quoteName(String(first.table))}`
    const columns = rows.map(({ name, type, base, category }) => ({
      name: String(name),
      type: String(type),
      base: String(base),
      category: String(category),
    }))
    return {
      reference,
      columns,
      createBatches: (cursor) => createBatches(query, { reference, columns }, cursor),
      toValue,
    }
  },
}
