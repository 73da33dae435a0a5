import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { openWeb } from '../browser/browser.ts'
import { bundle, startSite, toShop, watchComplaints } from '../browser/site.ts'
import { PROJECT, type TestApp } from '../support/app/app.ts'
import { lockedPackages } from '../support/servers/locked-packages.ts'

export interface Stored {
  readonly event: string
  readonly distinct_id: string
  readonly properties: Readonly<Record<string, unknown>>
}

export interface ClientPage {
  readonly api: TestApp
  readonly page: Page
  readonly site: string
  readonly complaints: readonly string[]
  /** The requests of the page so far. */
  readonly requested: readonly URL[]
  stored(): Promise<Stored[]>
}

const packages = lockedPackages('clients')

export const PACKAGES = packages.folder

/** Installs the clients before the tests of a file. */
export const useClients = (): void => beforeAll(packages.install)

/** Older clients ignore headless browsers. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Opens a page of another origin with a script, which may import clients. */
export async function openPage(
  toCode: (url: string, token: string) => string,
  options?: Parameters<typeof bundle>[1],
): Promise<ClientPage> {
  const { api, page } = await openWeb({ userAgent: USER_AGENT })
  const { body: project } = await api.get(PROJECT)
  const code = toCode(api.url, project.api_token)
  const site = await startSite({
    '/': toShop('<script type="module" src="/shop.js"></script>'),
    '/shop.js': await bundle(code, { nodePaths: [PACKAGES], ...options }),
  })
  const complaints = watchComplaints(page)
  const requested: URL[] = []
  page.on('request', (request) => requested.push(new URL(request.url())))
  await page.goto(site)
  const stored = async () => (await api.get('events?limit=1000')).body.results
  return { api, page, site, complaints, requested, stored }
}
