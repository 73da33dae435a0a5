import { type SqlBool, sql } from 'kysely'

interface SearchableFields {
  readonly name: string
  readonly description: string
  /** A JSON array. */
  readonly tags: string
}

/** What is searched, in lower case: SQLite itself knows only ASCII's. It begins with the name, so it also sorts by it. */
export const toSearchKey = ({ name, description, tags }: SearchableFields): string =>
  [name, description, ...JSON.parse(tags)].join('\n').toLowerCase()

/** Whether a key holds the words somewhere. */
export function containsText(key: ReturnType<typeof sql.ref>, words: string) {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${key} like ${pattern} escape '\\'`
}
