import { invalid } from '#server/errors.ts'
import { MAX_MEMBERS } from './fields.ts'

/** The members that a CSV file names. */
export interface CsvMembers {
  readonly distinct_ids: string[]
  readonly _create_static_person_ids: string[]
}

const DISTINCT_ID = ['distinct_id', 'distinct-id', 'distinct id', 'distinctid']
const PERSON_ID = ['person_id', 'person-id', 'person id', 'personid']

/** Parses a column of distinct IDs or of persons' UUIDs. A file of one column needs no header. */
export function parseMembers(text: string): CsvMembers {
  const [first, ...rest] = parseCsv(text.replace(/^\ufeff/, ''))
  if (!first) throw invalid('csv', 'The file is empty.')
  const header = first.map((cell) => cell.trim().toLowerCase())
  const [ids, persons] = [DISTINCT_ID, PERSON_ID].map((names) =>
    header.findIndex((cell) => names.includes(cell)),
  ) as [number, number]
  const column = ids >= 0 ? ids : persons
  if (column < 0 && header.length > 1) {
    throw invalid('csv', 'The file needs a column `distinct_id` or `person_id`.')
  }
  const rows = column < 0 ? [first, ...rest] : rest
  const values = rows.map((row) => row[Math.max(column, 0)]?.trim() ?? '').filter(Boolean)
  if (values.length > MAX_MEMBERS) {
    throw invalid('csv', `The file names more than ${MAX_MEMBERS} persons.`)
  }
  const isPersons = column >= 0 && column === persons
  return {
    distinct_ids: isPersons ? [] : values,
    _create_static_person_ids: isPersons ? values : [],
  }
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    const { cell, end } = readCell(text, at, rows.length + 1)
    row.push(cell)
    at = end + 1
    if (text[end] === ',') continue
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
}

/** Reads the cell at a position, up to the separator or line break at `end`. */
function readCell(text: string, start: number, line: number) {
  let cell = ''
  let at = start
  while (text[at] === '"') {
    const close = text.indexOf('"', at + 1)
    if (close < 0) throw invalid('csv', `Line ${line}: a quote is not closed.`)
    // a second quote in a row stands for one
    cell += (at > start ? '"' : '') + text.slice(at + 1, close)
    at = close + 1
  }
  END.lastIndex = at
  const end = END.test(text) ? END.lastIndex - 1 : text.length
  return { cell: cell + text.slice(at, end), end }
}

const END = /[,\r\n]/g
