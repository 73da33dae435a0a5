import type { Template } from '../template.ts'
import { importHealth } from './import-health.ts'
import { importsAndRevenue } from './imports-and-revenue.ts'
import { productAnalytics } from './product-analytics.ts'
import { saasMetrics } from './saas-metrics.ts'
import { airtable } from './services/airtable.ts'
import { github } from './services/github.ts'
import { gitlab } from './services/gitlab.ts'
import { googleSheets } from './services/google-sheets.ts'
import { hackerNews } from './services/hacker-news.ts'
import { hubspot } from './services/hubspot.ts'
import { npmDownloads } from './services/npm-downloads.ts'
import { plausible } from './services/plausible.ts'
import { rss } from './services/rss.ts'
import { s3 } from './services/s3.ts'
import { stripe } from './services/stripe.ts'
import { mysqlTable, postgresTable } from './services/tables.ts'
import { webhook } from './services/webhook.ts'
import { zendesk } from './services/zendesk.ts'
import { webOverview } from './web-overview.ts'
import { websiteTraffic } from './website-traffic.ts'

export interface BuiltInTemplate {
  readonly id: string
  readonly template: Template
}

/** Version 8 UUIDs never collide with random ones. The numbers are permanent and independent of the order. */
const builtIn = (number: number, template: Template): BuiltInTemplate => ({
  id: `00000000-0000-8000-8000-${String(number).padStart(12, '0')}`,
  template,
})

export const BUILT_IN: readonly BuiltInTemplate[] = [
  builtIn(3, webOverview),
  builtIn(4, saasMetrics),
  builtIn(6, importsAndRevenue),
  builtIn(5, importHealth),
  builtIn(1, productAnalytics),
  builtIn(2, websiteTraffic),
  builtIn(7, stripe),
  builtIn(8, github),
  builtIn(9, googleSheets),
  builtIn(10, hackerNews),
  builtIn(11, npmDownloads),
  builtIn(12, gitlab),
  builtIn(13, hubspot),
  builtIn(14, zendesk),
  builtIn(15, airtable),
  builtIn(16, rss),
  builtIn(17, plausible),
  builtIn(18, s3),
  builtIn(19, webhook),
  builtIn(20, postgresTable),
  builtIn(21, mysqlTable),
]

const BY_NAME = new Map<string, Template>([
  ['DEFAULT_APP', productAnalytics],
  ['WEBSITE_TRAFFIC', websiteTraffic],
  ...BUILT_IN.map(({ template }) => [template.name, template] as const),
])

/** Finds a template by its exact name or its name in the HTTP interface. */
export const findBuiltIn = (name: string): Template | undefined => BY_NAME.get(name)
