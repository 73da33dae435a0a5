import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** The methods that a page may call before the script has loaded. */
const QUEUED = ['capture', 'identify', 'onFeatureFlags', 'register', 'group', 'reset']

/** Creates a page with the snippet: a script tag, and a stub that queues calls until the script has loaded. */
const toPage = (host: string, token: string, options: object): string => `<!doctype html>
<html><head><title>Shop</title><link rel="icon" href="data:,"><script>
  const posthog = Object.assign([], { _i: [], people: [], __SV: 1 })
  window.posthog = posthog
  for (const name of ${JSON.stringify(QUEUED)}) {
    posthog[name] = (...values) => posthog.push([name, ...values])
  }
  posthog.init = (token, options, name) => {
    const script = document.createElement('script')
    script.async = true
    script.crossOrigin = 'anonymous'
    script.src = options.api_host + '/static/array.js'
    document.head.append(script)
    posthog._i.push([token, options, name])
  }
  // browsers that are steered by tests count as bots
  const options = { api_host: '${host}', opt_out_useragent_filter: true, ...${JSON.stringify(options)} }
  posthog.init('${token}', options)
  posthog.onFeatureFlags((flags) => { document.title = 'Flags: ' + flags.length })
</script></head>
<body><main><button id="buy" class="primary large" data-plan="pro">Buy now</button></main></body></html>`

/** Serves a page with the snippet on an origin of its own. */
export async function startSite(host: string, token: string, options = {}): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(toPage(host, token, options))
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
    complaints.push(`${request.url()} ${request.failure()?.errorText}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`)
  })
  return complaints
}
