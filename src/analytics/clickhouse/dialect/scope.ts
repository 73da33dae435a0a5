import type { Node, ParsedQuery } from '#server/analytics/queries/sql/tree.ts'
import type { Columns, Piece, Type } from './types.ts'

/** The columns that a name can mean. */
export interface Scope {
  /** By alias. */
  readonly relations: ReadonlyMap<string, Columns>
  /** The columns of a SELECT, which its ORDER BY, GROUP BY and HAVING can name. */
  readonly selected?: Columns | undefined
  readonly outer?: Scope | undefined
  /** The tables, and the queries that WITH names. */
  readonly tables: ReadonlyMap<string, Columns>
}

/** A query and the columns of its rows. */
export interface WrittenQuery {
  readonly text: string
  readonly columns: Columns
}

/** Writes the parts of a query. */
export interface Writer {
  readonly scope: Scope
  write(node: Node): Piece
  writeQuery(query: ParsedQuery, scope: Scope): WrittenQuery
}

export const columnNames = (node: Node): readonly string[] => node.column_names as readonly string[]

/** Finds the type of a column; undefined if there is none with this name. */
export function findType(names: readonly string[], scope: Scope): Type | undefined {
  const name = names.at(-1) as string
  const alias = names.length > 1 ? names[0] : undefined
  for (const [relation, columns] of scope.relations) {
    if (alias !== undefined && alias !== relation) continue
    const type = columns.get(name)
    if (type) return type
  }
  const selected = alias === undefined ? scope.selected?.get(name) : undefined
  return selected ?? (scope.outer ? findType(names, scope.outer) : undefined)
}

export const quoteName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

export const joinTexts = (pieces: readonly Piece[], separator = ', '): string =>
  pieces.map(({ text }) => text).join(separator)
