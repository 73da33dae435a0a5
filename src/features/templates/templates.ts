import { productAnalytics } from './product-analytics.ts'
import { websiteTraffic } from './website-traffic.ts'

export interface TemplateTile {
  readonly name: string
  readonly description: string
  readonly color: string | null
  readonly layouts: Readonly<Record<'sm' | 'xs', Readonly<Record<string, number | string>>>>
  readonly query: unknown
}

export interface Template {
  /** What a dashboard is called that is made without a name. */
  readonly name: string
  readonly description: string
  readonly filters: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  readonly tiles: readonly TemplateTile[]
}

const BY_NAME = new Map<string, Template>([
  ['DEFAULT_APP', productAnalytics],
  ['Product analytics', productAnalytics],
  ['WEBSITE_TRAFFIC', websiteTraffic],
])

/** By its exact name. */
export const findTemplate = (name: string): Template | undefined => BY_NAME.get(name)
