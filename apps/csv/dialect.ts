import { createCsvReader } from './reader.ts'

export interface Dialect {
  readonly delimiter: string
  readonly newline: '\n' | '\r'
}

const CANDIDATES = [',', ';', '\t', '|']
const LINES = 50

/** Detects the dialect from the start of the file. `delimiter` is the setting: `auto`, `tab` or the character. */
export function detectDialect(sample: string, delimiter: string): Dialect {
  const newline = !sample.includes('\n') && sample.includes('\r') ? '\r' : '\n'
  if (delimiter === 'tab') return { delimiter: '\t', newline }
  if (delimiter !== 'auto' && delimiter !== '') return { delimiter, newline }
  return { delimiter: detectDelimiter(sample, newline), newline }
}

/** Chooses the delimiter for which most lines have as many fields as the first; ties go to more fields. */
function detectDelimiter(sample: string, newline: '\n' | '\r'): string {
  const scored = CANDIDATES.map((delimiter) => ({
    delimiter,
    ...score(sample, delimiter, newline),
  }))
  scored.sort((a, b) => b.agreeing - a.agreeing || b.fields - a.fields)
  return scored[0]?.delimiter ?? ','
}

function score(sample: string, delimiter: string, newline: '\n' | '\r') {
  const rows = createCsvReader(delimiter, newline)
    .read(sample, true)
    .filter(({ fields }) => fields.join('') !== '')
    .slice(0, LINES)
  const fields = rows[0]?.fields.length ?? 0
  if (fields < 2) return { agreeing: 0, fields }
  return { agreeing: rows.filter((row) => row.fields.length === fields).length, fields }
}
