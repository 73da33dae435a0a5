import { findProvidedPackage, notProvidedMessage } from '#server/runtime/provided-packages.ts'
import type { Bridge } from '../bridge.ts'
import type { Contrib } from './contrib.ts'
import { FetchError, RetryError } from './errors.ts'
import { type Fetch, isRedirect, Request, Response } from './fetch.ts'
import { Headers } from './headers.ts'

/** Makes both a default import and `* as all` the package itself. */
const withDefault = <T extends object>(module: T): T =>
  Object.defineProperty(module, 'default', { value: module, configurable: true })

/** The packages that are part of the prelude. */
export interface OwnPackages {
  readonly fetch: Fetch
  readonly contrib: Pick<Contrib, 'createBuffer'>
  readonly pg: object
}

/** Creates the app's `require`. */
export function createRequire(
  { loadModule }: Bridge,
  { fetch, contrib, pg }: OwnPackages,
): (name: string) => unknown {
  const nodeFetch = Object.assign(
    (input: unknown, init?: Parameters<Fetch>[1]) => fetch(input, init),
    { Headers, Request, Response, FetchError, isRedirect },
  )
  const loaded = new Map<string, object>([
    ['@posthog/plugin-contrib', withDefault({ createBuffer: contrib.createBuffer })],
    ['@posthog/plugin-scaffold', withDefault({ RetryError })],
    ['node-fetch', withDefault(nodeFetch)],
    ['pg', withDefault(pg)],
  ])
  return (name) => {
    const known = findProvidedPackage(String(name)) ?? ''
    const module = loaded.get(known) ?? loadModule(known)
    if (!module) throw new Error(notProvidedMessage(String(name)))
    if (!loaded.has(known)) loaded.set(known, withDefault({ ...module }))
    return loaded.get(known)
  }
}
