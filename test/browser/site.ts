import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BuildOptions, build } from 'esbuild'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { toSamples } from '#model/connect-samples.ts'

/** Reads the code of the connect page as it is shown. */
export function readSample(id: string, host: string, token: string): string {
  const code = toSamples(host, token).find((sample) => sample.id === id)?.code
  if (!code) throw new Error(`There is no sample ${id}.`)
  return code
}

/** Lets posthog-js capture: it ignores browsers that are steered by tests. */
export const withoutBotFilter = (code: string): string =>
  code.replace(/api_host: '[^']*'/, '$&, opt_out_useragent_filter: true')

/** A page of a shop with something in its head. */
export const toShop = (head: string): string => `<!doctype html>
<html><head><title>Shop</title><link rel="icon" href="data:,">${head}
</head><body><main><button id="buy" class="primary large">Buy now</button></main></body></html>`

/** Serves files by their path, on an origin of its own. */
export async function startSite(files: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.setHeader('content-type', `${type}; charset=utf-8`)
    response.end(files[url])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

/** Bundles code as a site with npm does. `nodePaths`: further folders to find packages in. */
export async function bundle(
  code: string,
  options: Pick<BuildOptions, 'nodePaths' | 'alias' | 'define'> = {},
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    ...options,
  })
  return outputFiles[0]?.text ?? ''
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
