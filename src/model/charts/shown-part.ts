import { type Fields, fieldsOf } from '../chart.ts'

/** What drawing an answer needs to know of its query. */
const SHOWN = ['kind', 'display', 'chartSettings', 'interval'] as const

/** Without what was asked: filters and SQL may name customers, and are not for everybody who may see the answer. */
export function shownPartOf(query: object): Fields {
  const fields = fieldsOf(query)
  const { display } = fieldsOf(fields.trendsFilter)
  return {
    ...Object.fromEntries(SHOWN.filter((key) => key in fields).map((key) => [key, fields[key]])),
    ...(display !== undefined && { trendsFilter: { display } }),
    ...(fields.source !== undefined && { source: shownPartOf(fieldsOf(fields.source)) }),
  }
}
