import type { DisplaySettings } from './display-settings.ts'
import type { RuleColor } from './palette.ts'

export type ColorRules = NonNullable<DisplaySettings['colorRules']>
export type ColorRule = ColorRules[number]

const TESTS: Readonly<Record<ColorRule['operator'], (value: number, rule: ColorRule) => boolean>> =
  {
    gt: (value, rule) => value > rule.value,
    gte: (value, rule) => value >= rule.value,
    lt: (value, rule) => value < rule.value,
    lte: (value, rule) => value <= rule.value,
    exact: (value, rule) => value === rule.value,
    between: (value, { value: from, to }) => value >= from && value <= (to ?? from),
  }

/** Returns the color of the first rule that a number meets. A rule of one column is for no other. */
export const findColor = (
  value: unknown,
  rules: DisplaySettings['colorRules'],
  column?: unknown,
): RuleColor | undefined =>
  typeof value === 'number'
    ? rules?.find((rule) => (rule.column ?? column) === column && TESTS[rule.operator](value, rule))
        ?.color
    : undefined
