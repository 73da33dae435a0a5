import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { createLimit } from '../concurrency.ts'
import { fetchError } from '../runtime/host/call-error.ts'
import { createAddressRules } from './address-rules.ts'

export interface EgressOptions {
  readonly allowedHosts: readonly string[]
  readonly hostMap?: Readonly<Record<string, string>>
}

/** The world as apps may see it: everything public, and what the operator allows besides. */
export interface Egress {
  /** Connects to allowed addresses only. */
  guarded(): Promise<Agent>
  /** Connects to whatever it is told; for where the operator, and not the app, says where. */
  free(): Promise<Agent>
  /** Throws a `FetchError` for an address that apps may not reach. Names are judged when they are resolved. */
  requireAllowed(hostname: string): void
  /** An address for this name that apps may reach. Throws as `requireAllowed`. */
  resolve(hostname: string): Promise<string>
  /** Where the operator has this host lead to instead. */
  mapped(url: URL): URL | undefined
  close(): Promise<void>
}

interface Address {
  readonly address: string
  readonly family: number
}

/** Names are resolved by the few threads that files are read by, too: slow ones must not take all of them. */
const LOOKUPS_AT_ONCE = 2

const internal = () => fetchError('Internal hostname')

export function createEgress({ allowedHosts, hostMap = {} }: EgressOptions): Egress {
  const rules = createAddressRules(allowedHosts)
  const agents: Promise<Agent>[] = []
  let guarded: Promise<Agent> | undefined
  let free: Promise<Agent> | undefined

  const looking = createLimit(LOOKUPS_AT_ONCE)

  function requireAllowed(hostname: string): void {
    const address = withoutBrackets(hostname)
    if (isIP(address) > 0 && !rules.isAllowedAddress(address)) throw internal()
  }

  /** What the name means now: an earlier answer would say nothing about where a connection leads. */
  async function resolve(hostname: string, family?: LookupFamily): Promise<Address[]> {
    const found = await looking(() => lookup(hostname, { all: true, family }))
    if (rules.isAllowedName(hostname)) return found
    const allowed = found.filter(({ address }) => rules.isAllowedAddress(address))
    if (allowed.length === 0) throw internal()
    return allowed
  }

  const guardedLookup: LookupFunction = (hostname, { all, family }, callback) => {
    resolve(hostname, family).then(
      (found) => {
        const [first] = found as [Address]
        if (all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0),
    )
  }

  const open = (guard: LookupFunction | undefined): Promise<Agent> => {
    const agent = openAgent(guard)
    agents.push(agent)
    return agent
  }

  return {
    guarded() {
      guarded ??= open(guardedLookup)
      return guarded
    },
    free() {
      free ??= open(undefined)
      return free
    },
    requireAllowed,
    async resolve(hostname) {
      requireAllowed(hostname)
      const [first] = await resolve(withoutBrackets(hostname))
      if (!first) throw internal()
      return first.address
    },
    mapped(url) {
      const host = [url.host, url.hostname].find((name) => Object.hasOwn(hostMap, name))
      if (host === undefined) return undefined
      // put in place, and not resolved: a path may look like another host
      return Object.assign(new URL(hostMap[host] ?? ''), {
        pathname: url.pathname,
        search: url.search,
      })
    },
    async close() {
      for (const agent of agents) await (await agent).destroy()
    },
  }
}

type LookupFamily = Parameters<LookupFunction>[1]['family']

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Loaded with the first call: most servers make none for a long time. */
async function openAgent(guard: LookupFunction | undefined): Promise<Agent> {
  const { Agent: AgentClass } = await import('undici')
  const connect = { timeout: 10_000, ...(guard && { lookup: guard }) }
  return new AgentClass({ allowH2: false, connect })
}
