import { AppProblem } from '#server/runtime/contract.ts'

/** Quoted texts and names, comments, and placeholders. */
const PARTS =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|--\s[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|\?/g

/** Statements that read, behind comments. Servers execute comments that begin with an exclamation mark. */
const READS =
  /^(?:\s|--\s[^\n]*\n|#[^\n]*\n|\/\*(?!M?!)[\s\S]*?\*\/|\()*(?:select|with|values|table|show|describe|desc|explain)\b/i

/** Refuses other statements, because MariaDB executes some of them in a read-only transaction: it ends it before. */
export function requireReading(text: string): void {
  if (READS.test(text)) return
  throw new AppProblem(
    'mysql.query only reads: a statement begins with select, with, values, table, show, describe or explain.',
  )
}

/** Puts parameters in place of the question marks of a statement. A text becomes hexadecimal, so nothing can end it. */
export function fillStatement(text: string, parameters: readonly unknown[]): string {
  let used = 0
  const filled = text.replace(PARTS, (part) => {
    if (part !== '?') return part
    used += 1
    return toLiteral(parameters[used - 1])
  })
  if (used === parameters.length) return filled
  throw new AppProblem(`The query has ${used} placeholders, and ${parameters.length} parameters.`)
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string') return `_utf8mb4 x'${Buffer.from(value).toString('hex')}'`
  throw new AppProblem('A parameter of a query is a text, a number, true, false or null.')
}
