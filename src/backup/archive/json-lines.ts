import type { Row } from '../metadata/tables.ts'

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses the rows of a table. Throws if a line is not an object of texts, numbers and nulls. */
export function parseRows(content: Uint8Array): Row[] {
  const lines = UTF_8.decode(content).split('\n')
  if (lines.pop() !== '' || lines.length === 0) throw new Error('its last line is incomplete')
  return lines.map((line, index) => {
    const row = parseLine(line)
    if (!row) throw new Error(`line ${index + 1} is not a row`)
    return row
  })
}

function parseLine(line: string): Row | undefined {
  try {
    const row = JSON.parse(line)
    return isRow(row) ? row : undefined
  } catch {
    return undefined
  }
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(isCell)

const isCell = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number'
