import { isObject } from '#model/json.ts'
import { unwrapQuery } from '#model/query-node.ts'

/** Tells whether a query names one of these events, or counts all events. */
export function readsEvents(query: unknown, names: readonly string[]): boolean {
  if (names.length === 0 || !isObject(query)) return false
  const { source } = unwrapQuery(query)
  if (source.kind === 'HogQLQuery') {
    const text = String(source.query)
    return names.some((name) => text.includes(`'${name.replaceAll("'", "''")}'`))
  }
  if (countsAllEvents(source)) return true
  const text = JSON.stringify(source)
  return names.some((name) => text.includes(JSON.stringify(name)))
}

const countsAllEvents = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(countsAllEvents)
  if (!isObject(value)) return false
  const isAll = value.kind === 'EventsNode' && (value.event ?? '') === ''
  return isAll || Object.values(value).some(countsAllEvents)
}
