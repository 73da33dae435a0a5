import { findProvidedPackage, notProvidedMessage } from '#server/runtime/provided-packages.ts'
import type { Bridge } from '../bridge.ts'
import { FetchError, RetryError } from './errors.ts'
import { type Fetch, isRedirect, Request, Response } from './fetch.ts'
import { Headers } from './headers.ts'

/** Makes both a default import and `* as all` the package itself. */
const withDefault = <T extends object>(module: T): T =>
  Object.defineProperty(module, 'default', { value: module, configurable: true })

/** Creates the app's `require`. */
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
    const known = findProvidedPackage(String(name)) ?? ''
    const module = loaded.get(known) ?? loadModule(known)
    if (!module) throw new Error(notProvidedMessage(String(name)))
    if (!loaded.has(known)) loaded.set(known, withDefault({ ...module }))
    return loaded.get(known)
  }
}
