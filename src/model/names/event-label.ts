import { EVENT_LABELS } from './events.ts'

const LABELS: ReadonlyMap<string, string> = new Map(Object.entries(EVENT_LABELS))
const TAKEN: ReadonlySet<string> = new Set(LABELS.values())

/** Tells an event of the user from the known event that is shown under the same words. */
export const toCustomLabel = (name: string): string => `${name} (custom)`

/** Returns the name of an event as it is shown: `$pageview` is Page view. Other names stay as they are. */
export const toEventLabel = (name: string): string =>
  LABELS.get(name) ?? (TAKEN.has(name) ? toCustomLabel(name) : name)

/** Values that libraries set in place of a missing one. */
const VALUES: ReadonlyMap<string, string> = new Map([['$direct', 'Direct']])

/** Separates the values of several properties in a breakdown. */
const BETWEEN = '::'

/** Returns the value of a property as it is shown: `$direct` is Direct. An event can be a value too. */
export const toValueLabel = (value: string): string =>
  value.includes('$') ? value.split(BETWEEN).map(toOneLabel).join(BETWEEN) : value

const toOneLabel = (value: string): string =>
  VALUES.get(value) ?? (value.startsWith('$') ? LABELS.get(value) : undefined) ?? value

/** Returns labels for values that are shown together. A value keeps its name if another value is called like its label. */
export function labelValues(together: Iterable<string | undefined>): (value: string) => string {
  const taken = new Set(together)
  return (value) => {
    const label = toValueLabel(value)
    return taken.has(label) ? value : label
  }
}
