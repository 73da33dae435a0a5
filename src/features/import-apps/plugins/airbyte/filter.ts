import { unsupported } from './component.ts'
import { parseReference, type Scope, toSettingKey } from './templates.ts'

type Scalar = string | number | boolean
/** A condition of `filter` in connector.yaml. */
type Condition = Readonly<Record<string, unknown>> & { readonly path: string }

const OPERATORS = {
  '==': 'is',
  '!=': 'is_not',
  '>=': 'at_least',
  '>': 'more_than',
  '<=': 'at_most',
  '<': 'less_than',
} as const
type Operator = keyof typeof OPERATORS
/** The same comparison with its sides changed. */
const TURNED: Readonly<Record<Operator, Operator>> = {
  ...{ '==': '==', '!=': '!=', '>=': '<=', '>': '<', '<=': '>=', '<': '>' },
}

/** Translates the condition of a RecordFilter: comparisons, joined by `and`. */
export function toConditions(text: string, at: string, scope: Scope): Condition[] {
  const [, inner] = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(text) ?? []
  if (inner === undefined || inner.includes('}}')) throw refuse(text, at)
  return splitAnd(inner).map((part) => {
    const condition = toCondition(part.trim(), at, scope)
    if (condition === undefined) throw refuse(part.trim(), at)
    return condition
  })
}

const refuse = (text: string, at: string) =>
  unsupported(at, `"${text}" is not a comparison that is supported`)

/** Splits at `and`, but not within quotes. */
function splitAnd(text: string): string[] {
  const parts = ['']
  for (const [piece] of text.matchAll(/'[^']*'|"[^"]*"|\s+and\s+|[\s\S]/g)) {
    if (/^\s+and\s+$/.test(piece)) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}

function toCondition(given: string, at: string, scope: Scope): Condition | undefined {
  const text = unwrap(given)
  const compared = /^(.+?)\s*(==|!=|>=|<=|>|<)\s*(.+)$/s.exec(text)
  if (compared) return toComparison(compared, at, scope)
  const [, listed, not, list] = /^(.+?)\s+(not\s+)?in\s+[[(](.*)[\])]$/s.exec(text) ?? []
  if (listed !== undefined && list !== undefined) {
    const path = toPath(listed)
    const values = list.split(',').filter((one) => one.trim() !== '')
    const scalars = values.map((one) => toScalar(one, at, scope))
    if (path === undefined || scalars.length === 0 || scalars.includes(undefined)) return undefined
    return { path, [not ? 'is_not' : 'is']: scalars as Scalar[] }
  }
  const [, tested, isNot, what] = /^(.+?)\s+is\s+(not\s+)?(defined|none|None)$/.exec(text) ?? []
  if (tested !== undefined) {
    const path = toPath(tested)
    const isAbsent = what === 'defined' ? isNot !== undefined : isNot === undefined
    return path === undefined ? undefined : { path, empty: isAbsent }
  }
  const [, negated, plain = ''] = /^(not\s+)?(.+)$/s.exec(text) ?? []
  const path = toPath(unwrap(plain))
  return path === undefined ? undefined : { path, truthy: negated === undefined }
}

function toComparison([, left = '', sign, right = '']: RegExpExecArray, at: string, scope: Scope) {
  const operator = sign as Operator
  const path = toPath(left)
  const value = toScalar(right, at, scope)
  if (path !== undefined && value !== undefined) return { path, [OPERATORS[operator]]: value }
  const other = toPath(right)
  const first = toScalar(left, at, scope)
  if (other === undefined || first === undefined) return undefined
  return { path: other, [OPERATORS[TURNED[operator]]]: first }
}

/** Removes parentheses around the whole. */
const unwrap = (text: string): string =>
  /^\(([^()]*)\)$/.exec(text.trim())?.[1]?.trim() ?? text.trim()

/** Returns the path of a value of the record. */
function toPath(text: string): string | undefined {
  const reference = parseReference(text)
  return reference?.name === 'record' && reference.path.length > 0
    ? reference.path.join('.')
    : undefined
}

function toScalar(given: string, at: string, { settings }: Scope): Scalar | undefined {
  const text = given.trim()
  const [, single, double] = /^(?:'([^'\\]*)'|"([^"\\]*)")$/.exec(text) ?? []
  const quoted = single ?? double
  if (quoted !== undefined) return quoted === '' ? undefined : quoted
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  const reference = parseReference(text)
  if (reference?.name !== 'config') return undefined
  const key = toSettingKey(reference.path)
  if (settings.has(key)) return `{{${key}}}`
  throw unsupported(at, `names config "${reference.path.join('.')}", which the spec lacks`)
}
