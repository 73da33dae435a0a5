import { lookup as lookUp } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Agent } from 'undici'
import { createLimit } from '../concurrency.ts'
import { createAddressRules } from './address-rules.ts'
import { privateAddress } from './egress-error.ts'

export interface EgressOptions {
  /** Host names, addresses and CIDRs that may be reached although they are private. */
  readonly allowedHosts: readonly string[]
  /** Hosts whose requests go to another origin instead. */
  readonly hostMap?: Readonly<Record<string, string>>
  /** Resolves names; by default with the system's resolver. */
  readonly lookup?: (
    hostname: string,
    options: { readonly all: true; readonly family?: LookupFamily },
  ) => Promise<Address[]>
}

/** Guards outgoing connections: every public address is allowed, and those that the operator allows. */
export interface Egress {
  /** Returns an agent that connects to allowed addresses only. */
  guardedAgent(): Promise<Agent>
  /** Returns an agent without rules, for targets that the operator has chosen. */
  unguardedAgent(): Promise<Agent>
  /** Throws an `EgressError` for a literal address that is not allowed. Names are checked when they are resolved. */
  requireAllowed(hostname: string): void
  /** Returns an allowed address of this name. Throws an `EgressError` if there is none. */
  resolve(hostname: string): Promise<string>
  /** Returns the URL that the host map puts in place of this one. */
  findMapped(url: URL): URL | undefined
  close(): Promise<void>
}

interface Address {
  readonly address: string
  readonly family: number
}

type LookupFamily = Parameters<LookupFunction>[1]['family']

/** Name lookups share a few threads with file access, so slow lookups must not take them all. */
const MAX_CONCURRENT_LOOKUPS = 2

export function createEgress({
  allowedHosts,
  hostMap = {},
  lookup = lookUp,
}: EgressOptions): Egress {
  const rules = createAddressRules(allowedHosts)
  const limitLookups = createLimit(MAX_CONCURRENT_LOOKUPS)
  let guarded: Promise<Agent> | undefined
  let unguarded: Promise<Agent> | undefined

  function requireAllowed(hostname: string): void {
    const address = withoutBrackets(hostname)
    if (isIP(address) > 0 && !rules.isAllowedAddress(address)) throw privateAddress(hostname)
  }

  /** Resolves without a cache, because a name may now point to another address. */
  async function resolveAllowed(hostname: string, family?: LookupFamily): Promise<Address[]> {
    const addresses = await limitLookups(() => lookup(hostname, { all: true, family }))
    if (rules.isAllowedName(hostname)) return addresses
    const allowed = addresses.filter(({ address }) => rules.isAllowedAddress(address))
    if (allowed.length === 0) throw privateAddress(hostname)
    return allowed
  }

  const guardedLookup: LookupFunction = (hostname, { all, family }, callback) => {
    resolveAllowed(hostname, family).then(
      (addresses) => {
        const [first] = addresses as [Address]
        if (all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0),
    )
  }

  return {
    guardedAgent() {
      guarded ??= openAgent(guardedLookup)
      return guarded
    },
    unguardedAgent() {
      unguarded ??= openAgent(undefined)
      return unguarded
    },
    requireAllowed,
    async resolve(hostname) {
      requireAllowed(hostname)
      const [first] = await resolveAllowed(withoutBrackets(hostname))
      if (!first) throw privateAddress(hostname)
      return first.address
    },
    findMapped(url) {
      const host = [url.host, url.hostname].find((name) => Object.hasOwn(hostMap, name))
      if (host === undefined) return undefined
      // assigned, not resolved as a relative URL: a path may look like another host
      return Object.assign(new URL(hostMap[host] ?? ''), {
        pathname: url.pathname,
        search: url.search,
      })
    },
    async close() {
      for (const agent of [guarded, unguarded]) await (await agent)?.destroy()
    },
  }
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/**
 * The parts of undici that take longest to load, in an order in which each needs the ones before. With the rest they
 * take 75 ms on a slow processor, so each has a turn of the event loop to itself.
 */
const UNDICI_PARTS = ['undici/lib/dispatcher/agent.js', 'undici/lib/web/fetch/index.js']

/** Loads undici with the first request, because most servers send none for a long time. */
async function openAgent(lookupFunction: LookupFunction | undefined): Promise<Agent> {
  await nextTurn()
  for (const part of UNDICI_PARTS) {
    await import(part)
    await nextTurn()
  }
  const { Agent: AgentClass } = await import('undici')
  await nextTurn()
  const connect = { timeout: 10_000, ...(lookupFunction && { lookup: lookupFunction }) }
  return new AgentClass({ allowH2: false, connect })
}
