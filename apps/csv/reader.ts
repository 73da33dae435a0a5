export interface CsvRow {
  /** The first line of the row in the file, from 1. */
  readonly line: number
  readonly fields: readonly string[]
  /** Why the fields could not be parsed. */
  readonly problem?: string
}

export interface CsvReader {
  /** Returns the rows that this chunk of text completes. */
  read(text: string, isLast?: boolean): CsvRow[]
}

interface Chunk {
  readonly all: string
  readonly delimiter: string
  readonly newline: string
  readonly isLast: boolean
}

interface Quoted {
  readonly fields: string[]
  /** The position after the line end. */
  readonly next: number
}

const QUOTE = 34
const RETURN = 13
/** The limit on a quoted row, which bounds the memory. */
const MAX_ROW_LENGTH = 1024 * 1024

/**
 * Parses RFC 4180 in chunks, with two extensions: lines may end with LF, CRLF or (`newline` '\r') CR, and a quote
 * inside an unquoted field is literal. A quote that is never closed loses only the first line of its row.
 */
export function createCsvReader(
  delimiter: string,
  newline: '\n' | '\r' = '\n',
  longestRow = MAX_ROW_LENGTH,
): CsvReader {
  let rest = ''
  let line = 1

  return {
    read(text, isLast = false) {
      const all = rest + text
      const chunk = { all, delimiter, newline, isLast }
      const rows: CsvRow[] = []
      let at = 0
      let quote = all.indexOf('"')
      while (at < all.length) {
        const found = all.indexOf(newline, at)
        if (found < 0 && !isLast) break
        const end = found < 0 ? all.length : found
        if (quote >= 0 && quote < at) quote = all.indexOf('"', at)
        if (quote < 0 || quote >= end) {
          rows.push({ line, fields: plainLine(all, at, end).split(delimiter) })
          at = end + 1
          line += 1
          continue
        }
        const row = readQuoted(chunk, at)
        if (row === 'unfinished' && !isLast && all.length - at <= longestRow) break
        if (typeof row === 'string') {
          rows.push({ line, fields: [], problem: PROBLEMS[row] })
          at = end + 1
          line += 1
          continue
        }
        rows.push({ line, fields: row.fields })
        line += countNewlines(newline, all, at, row.next)
        at = row.next
      }
      rest = all.slice(at)
      if (rest.length > longestRow) throw tooLong(line, longestRow)
      return rows
    },
  }
}

const PROBLEMS = {
  unfinished: 'a quote is never closed.',
  broken: 'text between a closing quote and the next delimiter.',
}

const tooLong = (line: number, longest: number): Error =>
  new Error(
    `Line ${line} is longer than ${longest} characters, so this is not a CSV file. ` +
      'Check that the address or the attachment is the file itself, not compressed.',
  )

const plainLine = (all: string, from: number, end: number): string =>
  all.slice(from, end > from && all.charCodeAt(end - 1) === RETURN ? end - 1 : end)

function countNewlines(newline: string, all: string, from: number, to: number): number {
  let count = 0
  for (let at = all.indexOf(newline, from); at >= 0 && at < to; at = all.indexOf(newline, at + 1)) {
    count += 1
  }
  return count
}

function readQuoted(
  { all, delimiter, newline, isLast }: Chunk,
  from: number,
): Quoted | 'unfinished' | 'broken' {
  const fields: string[] = []
  let at = from
  while (true) {
    const field = all.charCodeAt(at) === QUOTE ? quotedField(all, at, isLast) : undefined
    if (field === 'unfinished') return field
    if (!field) {
      const end = fieldEnd(all, at, delimiter, newline)
      if (end === all.length && !isLast) return 'unfinished'
      const isLineEnd = all.charAt(end) !== delimiter
      fields.push(isLineEnd ? plainLine(all, at, end) : all.slice(at, end))
      at = end
    } else {
      fields.push(field.value)
      at = field.end
      if (all.charCodeAt(at) === RETURN && newline === '\n') {
        if (at + 1 === all.length && !isLast) return 'unfinished'
        if (at + 1 === all.length || all.charAt(at + 1) === newline) at += 1
      }
    }
    if (at >= all.length) return { fields, next: all.length }
    const next = all.charAt(at)
    if (next === newline) return { fields, next: at + 1 }
    if (next !== delimiter) return 'broken'
    at += 1
  }
}

/** Finds the closing quote, which is not doubled. The last quote of a chunk may be doubled in the next chunk. */
function quotedField(
  all: string,
  open: number,
  isLast: boolean,
): { value: string; end: number } | 'unfinished' {
  let value = ''
  for (let from = open + 1; ; ) {
    const close = all.indexOf('"', from)
    if (close < 0 || (close === all.length - 1 && !isLast)) return 'unfinished'
    if (all.charCodeAt(close + 1) !== QUOTE) {
      return { value: value + all.slice(from, close), end: close + 1 }
    }
    value += all.slice(from, close + 1)
    from = close + 2
  }
}

function fieldEnd(all: string, from: number, delimiter: string, newline: string): number {
  const line = all.indexOf(newline, from)
  const lineEnd = line < 0 ? all.length : line
  const end = all.indexOf(delimiter, from)
  return end < 0 || end > lineEnd ? lineEnd : end
}
