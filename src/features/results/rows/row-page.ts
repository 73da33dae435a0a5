import type { PageRange } from '#server/db/page-range.ts'
import { invalid } from '#server/errors.ts'
import {
  arrayText,
  type JsonFields,
  type JsonText,
  plain,
  quoted,
  toJsonText,
} from '#server/http/json-text.ts'
import { mapInTurns } from '#server/turns.ts'
import type { RowSource } from './run-source.ts'

/** A column of the response. */
export interface RowColumn<Row> {
  readonly name: string
  readonly type: string
  read(row: Row): JsonText
}

/** A page of rows that were not cached, and everything else of the response. */
export interface RowPage extends PageRange {
  readonly rows: JsonText
  readonly columns: readonly Pick<RowColumn<never>, 'name' | 'type'>[]
  readonly hasMore: boolean
  readonly zone: string
  readonly notApplied: readonly string[]
}

const DEFAULT_LIMIT = 100

interface GivenRange {
  readonly limit?: number | null
  readonly offset?: number | null
}

export const toPageRange = ({ limit, offset }: GivenRange): PageRange => ({
  limit: limit ?? DEFAULT_LIMIT,
  offset: offset ?? 0,
})

/** One page of the rows of a source, and the columns that it shows. */
interface RowList<Row>
  extends RowSource<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  /** Names the query in error messages. */
  readonly attr: string
  /** The keys of the overriding filters that cannot change the rows. */
  readonly notApplied: readonly string[]
  readonly range: PageRange
  readonly columns: readonly RowColumn<Row>[]
  toJson(page: RowPage): JsonText
}

/** Reads a page of rows as a response. */
export const toRowSource = <Row>(list: RowList<Row>): RowSource<JsonText> => ({
  ...list,
  createReader(context) {
    const { columns, attr, notApplied, range } = list
    const read = list.createReader(context)
    return async (run, set) => {
      const page = await read(run, set)
      const rows = await writeRows(page.rows, columns, attr)
      const { hasMore } = page
      return list.toJson({ rows, hasMore, ...range, columns, zone: context.zone, notApplied })
    }
  },
})

/** A column can be selected repeatedly, and a row can have a megabyte. */
const MAX_LENGTH = 24 * 1024 * 1024

/** Writes rows in as many turns of the event loop as it takes. */
async function writeRows<Row>(
  rows: readonly Row[],
  columns: readonly RowColumn<Row>[],
  attr: string,
): Promise<JsonText> {
  let length = 0
  const written = await mapInTurns(rows, (row) => {
    const cells = columns.map(({ read }) => {
      const cell = read(row)
      length += cell.length
      if (length > MAX_LENGTH) throw tooLarge(attr)
      return cell
    })
    return arrayText(cells)
  })
  return arrayText(written)
}

const tooLarge = (attr: string) =>
  invalid(attr, 'The rows are too large. Select fewer columns, or set a lower "limit".')

export const rowPageFields: JsonFields<RowPage, void> = {
  results: ({ rows }) => rows,
  columns: ({ columns }) => toJsonText(columns.map(({ name }) => name)),
  types: ({ columns }) => toJsonText(columns.map(({ name, type }) => [name, type])),
  hasMore: ({ hasMore }) => hasMore,
  limit: ({ limit }) => limit,
  offset: ({ offset }) => offset,
  is_cached: () => false,
  last_refresh: () => plain(new Date().toISOString()),
  cache_key: () => plain(''),
  timezone: ({ zone }) => quoted(zone),
  query_status: () => null,
  error: () => null,
  filters_not_applied: ({ notApplied }) => toJsonText(notApplied),
}
