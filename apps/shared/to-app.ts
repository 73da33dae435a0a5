import type { App, Capture, FetchOptions, FetchResponse, Log, Meta } from './app.ts'

declare const posthog: { readonly capture: Capture }
declare const fetch: (url: string, options?: FetchOptions) => Promise<FetchResponse>
declare const console: Log

/** Wraps the globals of the runtime. */
export const toApp = (meta: Meta): App => ({
  meta,
  fetch: (url, options) => fetch(url, options),
  capture: (event, properties, options) => posthog.capture(event, properties, options),
  log: console,
})
