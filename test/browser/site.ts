import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Reads the snippet from the documentation. */
function readSnippet(host: string, token: string): string {
  const text = readFileSync(new URL('../../docs/capture.md', import.meta.url), 'utf8')
  const [, snippet = ''] = /```html\n(.*?)```/s.exec(text) ?? []
  // browsers that are steered by tests count as bots
  const options = `{ api_host: '${host}', opt_out_useragent_filter: true }`
  return snippet.replace('phc_...', token).replace(/\{ api_host: '[^']*' \}/, options)
}

const toPage = (snippet: string): string => `<!doctype html>
<html><head><title>Shop</title><link rel="icon" href="data:,">${snippet}
<script>posthog.onFeatureFlags((flags) => { document.title = 'Flags: ' + flags.length })</script>
</head><body><main><button id="buy" class="primary large">Buy now</button></main></body></html>`

/** Serves a page with the snippet on an origin of its own. */
export async function startSite(host: string, token: string): Promise<string> {
  const page = toPage(readSnippet(host, token))
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

/** Collects everything that a site owner would see in red: errors and warnings, refused and failed requests. */
export function watchComplaints(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // leaving a page ends its requests; Chromium says so of beacons too, though they arrive
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`)
  })
  return complaints
}
