import { type SqlBool, sql } from 'kysely'

interface SearchableFields {
  readonly name: string
  readonly description: string
  /** A JSON array. */
  readonly tags?: string
  readonly folder?: string | null
}

/** Joins the searchable text in lower case, since SQLite lowers only ASCII. The name comes first, so it also sorts by name. */
export const toSearchKey = ({ name, description, tags = '[]', folder }: SearchableFields) =>
  [name, description, ...JSON.parse(tags), ...(folder ? [folder] : [])].join('\n').toLowerCase()

/** Matches keys that contain the text, in any case. */
export function containsText(key: ReturnType<typeof sql.ref>, text: string) {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${key} like ${pattern} escape '\\'`
}
