import { FEATURE_PROPERTIES } from './feature-properties.ts'
import { VISIT_PROPERTIES } from './visit-properties.ts'

type Label = string
type Description = string

export type KnownProperties = Readonly<Record<string, readonly [Label, Description]>>

/**
 * Properties that client libraries and the server set, under the names that people read. Larger than the events, and
 * not needed to draw a chart, so the first load of a dashboard leaves this file out.
 */
export const PROPERTIES: KnownProperties = { ...VISIT_PROPERTIES, ...FEATURE_PROPERTIES }
