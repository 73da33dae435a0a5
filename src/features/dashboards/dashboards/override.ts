import { invalid } from '#server/errors.ts'
import type { DashboardReadQuery } from './schema.ts'
import type { RequestOverrides } from './tile-results.ts'

/** What a caller says over a dashboard, as JSON in the address. */
export const toRequestOverrides = ({
  filters_override,
  variables_override,
}: DashboardReadQuery): RequestOverrides => ({
  filters: parse('filters_override', filters_override) as RequestOverrides['filters'],
  variables: parse('variables_override', variables_override) as RequestOverrides['variables'],
})

function parse(attr: string, text: string | undefined): object | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // said below
  }
  throw invalid(attr, `Invalid JSON passed in ${attr} parameter`)
}
