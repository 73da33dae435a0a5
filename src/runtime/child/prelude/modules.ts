import { findProvided, notProvided } from '#server/runtime/provided-packages.ts'
import type { Bridge } from '../bridge.ts'
import { FetchError, RetryError } from './errors.ts'
import { type Fetch, isRedirect, Request, Response } from './fetch.ts'
import { Headers } from './headers.ts'

/** A default import and `* as all` both are the package itself. */
const withDefault = <T extends object>(module: T): T =>
  Object.defineProperty(module, 'default', { value: module, configurable: true })

/** What `require` gives an app. */
export function createRequire({ loadModule }: Bridge, fetch: Fetch): (name: string) => unknown {
  const nodeFetch = Object.assign(
    (input: unknown, init?: Parameters<Fetch>[1]) => fetch(input, init),
    { Headers, Request, Response, FetchError, isRedirect },
  )
  const loaded = new Map<string, object>([
    ['@posthog/plugin-scaffold', withDefault({ RetryError })],
    ['node-fetch', withDefault(nodeFetch)],
  ])
  return (name) => {
    const known = findProvided(String(name))
    if (!known) throw new Error(notProvided(String(name)))
    const module = loaded.get(known) ?? withDefault({ ...loadModule(known as 'crypto') })
    loaded.set(known, module)
    return module
  }
}
