import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { invalid } from '../errors.ts'
import { toId, toUuid } from '../http/ids.ts'

interface Searched {
  readonly name: string
  readonly description: string
  /** A JSON array. */
  readonly tags: string
}

/** What is searched, in lower case: SQLite itself knows only ASCII's. It begins with the name, so it also sorts by it. */
export const toSearchKey = ({ name, description, tags }: Searched): string =>
  [name, description, ...JSON.parse(tags)].join('\n').toLowerCase()

/** Whether a key holds the words somewhere. */
export function holds(key: ReturnType<typeof sql.ref>, words: string) {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${key} like ${pattern} escape '\\'`
}

type Users = ExpressionBuilder<Schema, keyof Schema>

/** The ids of whom `created_by`, or what the key is called, means: a user's id or uuid. */
export function madeBy(text: string, attr = 'created_by') {
  const id = toId(text)
  const uuid = toUuid(text)
  if (id === undefined && uuid === undefined) {
    throw invalid(attr, 'Must be the id or the UUID of a user.')
  }
  return (eb: Users) =>
    eb
      .selectFrom('users')
      .select('users.id')
      .where((user) =>
        user.or([user('users.id', '=', id ?? 0), user('users.uuid', '=', uuid ?? '')]),
      )
}
