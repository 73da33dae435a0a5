import type { Limits } from '#server/runtime/limits.ts'
import { type QueriedRows, type Row, tooManyRows } from '../reader.ts'
import { createCursor, ServerError } from './packets.ts'
import type { Wire } from './wire.ts'

const QUERY = 0x03
const OK = 0x00
const LOCAL_FILE = 0xfb
const END = 0xfe
const ERROR = 0xff

interface Column {
  readonly name: string
  readonly type: number
  readonly isBinary: boolean
}

/** The protocol's types of columns. */
const NUMBERS = [1, 2, 3, 4, 5, 9, 13] // tiny, small, int, float, double, medium, year
const TIMES = [7, 12] // timestamp and datetime; the session's zone is UTC
const JSON_TYPE = 245
const TEXTS = [15, 249, 250, 251, 252, 253, 254]
const BINARY_CHARSET = 63

/** Runs a statement and collects its rows, which are refused beyond the limits while they arrive. */
export async function query(
  wire: Wire,
  text: string,
  { maxQueryRows, maxQueryBytes }: Pick<Limits, 'maxQueryRows' | 'maxQueryBytes'>,
): Promise<QueriedRows> {
  wire.command(Buffer.concat([Buffer.of(QUERY), Buffer.from(text)]))
  const head = await receive(wire)
  if (head[0] === OK) return { rows: [], jsonColumns: [] }
  if (head[0] === LOCAL_FILE) throw new Error('the statement asks for a file of this machine')
  const columns = await readColumns(wire, createCursor(head).length() ?? 0)
  const rows: Row[] = []
  let bytes = 0
  for (;;) {
    const content = await receive(wire)
    if (isEnd(content)) break
    bytes += content.length
    if (rows.length >= maxQueryRows || bytes > maxQueryBytes) {
      throw tooManyRows({ maxQueryRows, maxQueryBytes })
    }
    rows.push(toRow(content, columns))
  }
  const jsonColumns = columns.filter(({ type }) => type === JSON_TYPE).map(({ name }) => name)
  return { rows, jsonColumns }
}

async function receive(wire: Wire): Promise<Buffer> {
  const content = await wire.receive()
  if (content[0] === ERROR) throw new ServerError(content)
  return content
}

/** A row may begin with the same byte, before a text of 16 MB and more. */
const isEnd = (content: Buffer): boolean => content[0] === END && content.length < 9

async function readColumns(wire: Wire, count: number): Promise<Column[]> {
  const columns: Column[] = []
  for (let index = 0; index < count; index += 1) columns.push(toColumn(await receive(wire)))
  await receive(wire) // the end of the columns
  return columns
}

function toColumn(content: Buffer): Column {
  const cursor = createCursor(content)
  for (const _ of ['catalog', 'schema', 'table', 'original table']) cursor.bytes()
  const name = cursor.bytes()?.toString() ?? ''
  cursor.bytes()
  cursor.length()
  const charset = cursor.integer(2)
  cursor.take(4)
  const type = cursor.integer(1)
  return { name, type, isBinary: charset === BINARY_CHARSET && TEXTS.includes(type) }
}

function toRow(content: Buffer, columns: readonly Column[]): Row {
  const cursor = createCursor(content)
  const values = columns.map((column) => [column.name, toValue(cursor.bytes(), column)] as const)
  return Object.fromEntries(values)
}

/** Converts as for PostgreSQL: 64-bit integers and decimals stay text, bytes become base64. */
function toValue(bytes: Buffer | null, { type, isBinary }: Column): unknown {
  if (bytes === null) return null
  if (isBinary) return bytes.toString('base64')
  const text = bytes.toString()
  if (NUMBERS.includes(type)) return Number(text)
  return TIMES.includes(type) ? text.replace(' ', 'T').replace(/$/, 'Z') : text
}
