import { CallFailure } from './call-error.ts'

/** The number of requests that a host takes in a period. */
export interface Rate {
  readonly requests: number
  readonly periodMs: number
}

/** A run waits at most this long. A longer wait is left to its retry, or to the next run. */
export const MAX_WAIT_MS = 10 * 60_000
/** A host that asks for a longer wait is asked again after this one. */
const MAX_POSTPONED_MS = 24 * 60 * 60_000
const MAX_HOSTS = 100

/** Paces the requests of one config, by host. Kept between its runs. */
export interface HostBudgets {
  setRate(host: string, rate: Rate): void
  /** Holds requests back, because the host has asked for it. */
  postpone(host: string, ms: number, time: number): void
  /** Reserves the next place, and returns the milliseconds until then. Throws a temporary `CallFailure` if it is far away. */
  reserve(host: string, time: number): number
  /** Returns for how long the host still asks to wait. */
  postponedFor(host: string, time: number): number
}

interface Budget {
  rate: Rate | undefined
  /** The times of the latest requests, at most as many as the rate allows. Increasing. */
  times: number[]
  notBefore: number
}

export function createHostBudgets(): HostBudgets {
  const budgets = new Map<string, Budget>()

  /** Forgets the host that was added first, if an app requests very many. */
  function open(host: string): Budget {
    const known = budgets.get(host)
    if (known) return known
    if (budgets.size >= MAX_HOSTS) budgets.delete(budgets.keys().next().value as string)
    const budget: Budget = { rate: undefined, times: [], notBefore: 0 }
    budgets.set(host, budget)
    return budget
  }

  return {
    setRate(host, rate) {
      const budget = open(host)
      budget.rate = rate
      budget.times = budget.times.slice(-rate.requests)
    },
    postpone(host, ms, time) {
      const budget = open(host)
      budget.notBefore = Math.max(budget.notBefore, time + Math.min(ms, MAX_POSTPONED_MS))
    },
    reserve(host, time) {
      const budget = budgets.get(host)
      if (!budget) return 0
      const at = Math.max(time, budget.notBefore, findNext(budget))
      const waitMs = at - time
      if (waitMs > MAX_WAIT_MS) throw tooLong(host, waitMs)
      if (budget.rate) {
        budget.times.push(at)
        if (budget.times.length > budget.rate.requests) budget.times.shift()
      }
      return waitMs
    },
    postponedFor: (host, time) => Math.max(0, (budgets.get(host)?.notBefore ?? 0) - time),
  }
}

/** Finds when the rate allows another request: a period after the first of the latest. */
function findNext({ rate, times }: Budget): number {
  const [first = 0] = times
  return rate && times.length >= rate.requests ? first + rate.periodMs : (times.at(-1) ?? 0)
}

/** A request that is not sent, because its turn is too far away. */
export class TooLongWait extends CallFailure {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super('FetchError', message, { isTemporary: true })
    this.waitMs = waitMs
  }
}

const tooLong = (host: string, waitMs: number): TooLongWait =>
  new TooLongWait(`${host} takes no request for another ${Math.ceil(waitMs / 1000)} s.`, waitMs)

const MAX_CONFIGS = 10_000

/** Keeps the budgets of each config for as long as the server runs. */
export function createConfigBudgets() {
  const configs = new Map<number, HostBudgets>()
  return {
    get(configId: number): HostBudgets {
      const budgets = configs.get(configId) ?? createHostBudgets()
      configs.delete(configId)
      configs.set(configId, budgets) // at the end, so that the first is the one unused longest
      if (configs.size > MAX_CONFIGS) configs.delete(configs.keys().next().value as number)
      return budgets
    },
    /** A disabled config starts again without what its hosts have asked for. */
    forget: (configId: number): boolean => configs.delete(configId),
  }
}
