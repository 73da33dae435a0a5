import type { ParsedQuery } from '#server/analytics/queries/sql/tree.ts'
import { nullCompiler } from '../duckdb/compile-statement.ts'
import { parseStatement } from '../duckdb/parse-statement.ts'
import type { Sql } from '../event-table.ts'
import { fillMarks } from './dialect/literals.ts'
import type { WrittenQuery } from './dialect/scope.ts'
import { translateQuery } from './dialect/statements.ts'
import { TABLE_COLUMNS } from './tables.ts'

/** A dashboard has fewer statements of different texts. */
const MAX_KEPT = 500

const translations = new Map<string, WrittenQuery>()

/** Translates a statement from the common dialect to ClickHouse's, with its values in the text. */
export async function translate(statement: Sql): Promise<WrittenQuery> {
  const { sql: text, parameters } = statement.compile(nullCompiler)
  const { text: withMarks, columns } = translations.get(text) ?? (await translateText(text))
  return { text: fillMarks(withMarks, parameters), columns }
}

/** Parsing takes longer than everything else, and texts without their values are often the same. */
async function translateText(text: string): Promise<WrittenQuery> {
  const { error_message, statements } = await parseStatement<ParsedQuery>(text)
  const node = statements?.[0]?.node
  if (!node) throw new Error(`A statement cannot be parsed: ${error_message}.`)
  const translation = translateQuery(node, TABLE_COLUMNS)
  if (translations.size >= MAX_KEPT) translations.delete(translations.keys().next().value as string)
  translations.set(text, translation)
  return translation
}
