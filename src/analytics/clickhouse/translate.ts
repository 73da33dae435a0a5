import { sql } from 'kysely'
import type { ParsedQuery, SelectNode } from '#server/analytics/queries/sql/tree.ts'
import { nullCompiler } from '../duckdb/compile-statement.ts'
import { parseStatement } from '../duckdb/parse-statement.ts'
import type { Sql } from '../event-table.ts'
import { fillMarks } from './dialect/literals.ts'
import type { WrittenQuery } from './dialect/scope.ts'
import { translateCondition, translateQuery } from './dialect/statements.ts'
import { findExplained, toAnalyze } from './explain.ts'
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

/** Translates a condition on `events`, for statements that change them. */
export async function translateEventCondition(condition: Sql): Promise<string> {
  const { sql: text, parameters } = sql`select 1 from events where ${condition}`.compile(
    nullCompiler,
  )
  const node = (await parse(text)) as SelectNode
  return fillMarks(translateCondition(node, TABLE_COLUMNS), parameters)
}

async function parse(text: string): Promise<ParsedQuery> {
  const { error_message, statements } = await parseStatement<ParsedQuery>(text)
  const node = statements?.[0]?.node
  if (!node) throw new Error(`A statement cannot be parsed: ${error_message}.`)
  return node
}

/** Parsing takes longer than everything else, and texts without their values are often the same. */
async function translateText(text: string): Promise<WrittenQuery> {
  const explained = findExplained(text)
  const written = translateQuery(await parse(explained ?? text), TABLE_COLUMNS)
  const translation = explained === undefined ? written : toAnalyze(written.text)
  if (translations.size >= MAX_KEPT) translations.delete(translations.keys().next().value as string)
  translations.set(text, translation)
  return translation
}
