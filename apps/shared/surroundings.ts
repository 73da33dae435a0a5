import type { App, Capture, FetchAnswer, FetchOptions, Log, Meta } from './app.ts'

declare const posthog: { readonly capture: Capture }
declare const fetch: (url: string, options?: FetchOptions) => Promise<FetchAnswer>
declare const console: Log

/** What an app finds around it. */
export const surroundings = (meta: Meta): App => ({
  meta,
  fetch: (url, options) => fetch(url, options),
  capture: (event, properties, options) => posthog.capture(event, properties, options),
  log: console,
})
