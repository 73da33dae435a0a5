/** A response that has waited longer may be out of date. */
const MAX_AGE_MS = 10_000

interface EarlyWindow {
  /** By path; set by early-requests.js. */
  readonly earlyResponses?: Map<string, Promise<Response>>
}

const waiting = () => (globalThis as EarlyWindow).earlyResponses

/** Returns the response to a request that the page has sent before the app was loaded. Each is returned once. */
export function takeEarlyResponse(path: string): Promise<Response> | undefined {
  if (performance.now() > MAX_AGE_MS) dropEarlyResponses()
  const response = waiting()?.get(path)
  waiting()?.delete(path)
  return response
}

/** A change makes them out of date. */
export const dropEarlyResponses = (): void => waiting()?.clear()
