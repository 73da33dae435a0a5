import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { invalid } from '#server/errors.ts'

/** Computes a formula from the values of the series A, B, C... */
export type Formula = (values: readonly number[]) => number

export interface NamedFormula {
  readonly title: string
  readonly formula: Formula
}

/** Parses formulas from one of three fields that clients use; the newest one that is set wins. */
export function parseFormulas(query: TrendsQuery, queryAttr: string): NamedFormula[] {
  const { formulaNodes, formulas, formula } = query.trendsFilter ?? {}
  const attr = `${queryAttr}__trendsFilter`
  const toNamed = (text: string, at: string, name?: string | null): NamedFormula => ({
    title: name || `Formula (${text})`,
    formula: parseFormula(text, query.series.length, at),
  })
  if (formulaNodes?.length) {
    return formulaNodes.map((node, index) =>
      toNamed(node.formula, `${attr}__formulaNodes__${index}__formula`, node.custom_name),
    )
  }
  if (formulas?.length) {
    return formulas.map((text, index) => toNamed(text, `${attr}__formulas__${index}`))
  }
  return formula ? [toNamed(formula, `${attr}__formula`)] : []
}

/** The limit on nested parentheses, which could otherwise exhaust the stack. */
const MAX_DEPTH = 50

/**
 * Parses sums, products, parentheses, numbers and letters of series: `(A + B) * 100 / C`. Division by 0 gives 0, like
 * the conversion rate of no one.
 */
export function parseFormula(text: string, seriesCount: number, attr: string): Formula {
  let at = 0
  let depth = 0

  const formula = sum()
  if (peek() !== '') throw unexpected()
  return (values) => {
    const result = formula(values)
    return Number.isFinite(result) ? result : 0
  }

  function sum(): Formula {
    let left = product()
    while (peek() === '+' || peek() === '-') {
      const [sign, first] = [take() === '+' ? 1 : -1, left]
      const second = product()
      left = (values) => first(values) + sign * second(values)
    }
    return left
  }

  function product(): Formula {
    let left = factor()
    while (peek() === '*' || peek() === '/') {
      const [operator, first] = [take(), left]
      const second = factor()
      left =
        operator === '*'
          ? (values) => first(values) * second(values)
          : (values) => divide(first(values), second(values))
    }
    return left
  }

  function factor(): Formula {
    if (++depth > MAX_DEPTH) throw problem('nests too deep', at)
    const formula = peek() === '-' ? negative() : peek() === '(' ? inParentheses() : operand()
    depth--
    return formula
  }

  function negative(): Formula {
    take()
    const formula = factor()
    return (values) => -formula(values)
  }

  function inParentheses(): Formula {
    take()
    const formula = sum()
    if (peek() !== ')') throw unexpected()
    take()
    return formula
  }

  function operand(): Formula {
    peek()
    const [word] = /^([0-9]+(\.[0-9]+)?|\.[0-9]+|[A-Za-z]+)/.exec(text.slice(at)) ?? []
    if (!word) throw unexpected()
    const start = at
    at += word.length
    if (/^[0-9.]/.test(word)) return () => Number(word)
    const series = word.toUpperCase().charCodeAt(0) - 65
    if (word.length > 1 || series >= seriesCount) throw problem(`knows no series "${word}"`, start)
    return (values) => values[series] ?? 0
  }

  /** Returns the next character that is not a space, or an empty string at the end. */
  function peek(): string {
    while (/\s/.test(text.charAt(at))) at++
    return text.charAt(at)
  }

  function take(): string {
    const taken = peek()
    at++
    return taken
  }

  function unexpected() {
    const found = peek()
    return problem(found ? `does not expect "${found}"` : 'is not finished', at)
  }

  function problem(what: string, position: number) {
    return invalid(attr, `The formula ${what} at position ${position + 1}.`)
  }
}

const divide = (dividend: number, divisor: number): number =>
  divisor === 0 ? 0 : dividend / divisor
