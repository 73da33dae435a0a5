import { isObject } from '#model/json.ts'

/** Tells whether two views filter alike, whatever the order of their fields. */
export const isSameView = (one: object, other: object): boolean =>
  toComparable(one) === toComparable(other)

const toComparable = (view: object): string =>
  JSON.stringify(view, (_, value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
