import { valueAt } from '../shared/paths.ts'
import { toTimestamp } from '../shared/times.ts'
import type { Condition, Scalar } from './connector.ts'

/** Tells whether a record meets all conditions. `fill` replaces the placeholders of a text. */
export const isKept = (
  record: unknown,
  conditions: readonly Condition[] = [],
  fill: (text: string) => string,
): boolean =>
  conditions.every((condition) => {
    const filled = (wanted: Scalar) => (typeof wanted === 'string' ? fill(wanted) : wanted)
    return isMet(valueAt(record, condition.path), condition, filled)
  })

type Fill = (wanted: Scalar) => Scalar

function isMet(value: unknown, condition: Condition, fill: Fill): boolean {
  const { is, is_not, empty, truthy, at_least, more_than, at_most, less_than } = condition
  const isOneOf = (wanted: Scalar | readonly Scalar[]) =>
    [wanted].flat().some((one) => isSame(value, fill(one)))
  const against = (wanted: Scalar) => compare(value, fill(wanted))
  if (is !== undefined) return isOneOf(is)
  if (is_not !== undefined) return !isOneOf(is_not)
  if (empty !== undefined) return isEmpty(value) === empty
  if (truthy !== undefined) return (!isEmpty(value) && value !== false && value !== 0) === truthy
  if (at_least !== undefined) return against(at_least) >= 0
  if (more_than !== undefined) return against(more_than) > 0
  if (at_most !== undefined) return against(at_most) <= 0
  return less_than !== undefined && against(less_than) < 0
}

/** A setting is a text, also where the record has a number. */
const isSame = (value: unknown, wanted: Scalar): boolean =>
  value === wanted || (isScalar(value) && String(value) === String(wanted))

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Compares numbers, times or texts. Values of different kinds cannot be compared: NaN meets no condition. */
function compare(value: unknown, wanted: Scalar): number {
  if (!isScalar(value) || value === '') return Number.NaN
  const numbers = [Number(value), Number(wanted)] as const
  if (numbers.every(Number.isFinite)) return numbers[0] - numbers[1]
  const [time, limit] = [toTimestamp(value), toTimestamp(wanted)]
  if (time !== undefined && limit !== undefined) return Date.parse(time) - Date.parse(limit)
  if (typeof value !== 'string' || typeof wanted !== 'string') return Number.NaN
  return value < wanted ? -1 : value > wanted ? 1 : 0
}
