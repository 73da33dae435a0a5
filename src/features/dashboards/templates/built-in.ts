import { importHealth } from './import-health.ts'
import { productAnalytics } from './product-analytics.ts'
import { saasMetrics } from './saas-metrics.ts'
import type { Template } from './template.ts'
import { webOverview } from './web-overview.ts'
import { websiteTraffic } from './website-traffic.ts'

export interface BuiltInTemplate {
  readonly id: string
  readonly template: Template
}

/** Ids that no chance could give (version 8), and that stay when the order changes. */
const builtIn = (number: number, template: Template): BuiltInTemplate => ({
  id: `00000000-0000-8000-8000-${String(number).padStart(12, '0')}`,
  template,
})

export const BUILT_IN: readonly BuiltInTemplate[] = [
  builtIn(1, productAnalytics),
  builtIn(2, websiteTraffic),
  builtIn(3, webOverview),
  builtIn(4, saasMetrics),
  builtIn(5, importHealth),
]

const BY_NAME = new Map<string, Template>([
  ['DEFAULT_APP', productAnalytics],
  ['WEBSITE_TRAFFIC', websiteTraffic],
  ...BUILT_IN.map(({ template }) => [template.name, template] as const),
])

/** By its exact name, or what the interface calls it. */
export const findBuiltIn = (name: string): Template | undefined => BY_NAME.get(name)
