/** The time that one turn of the event loop spends on starting tasks. */
const TURN_MS = 10
/** The limit while connections arrive: Node accepts one in each turn, and a health check may be the last of hundreds. */
const ACCEPTING_TURN_MS = 1
/**
 * At most this long, tasks wait while connections are accepted. Requests that have begun add their own work to each
 * turn, so a health check behind 100 new connections took 490 ms on PostgreSQL, and takes 50 ms if they wait.
 */
const MAX_HOLD_MS = 350
/** The share of time that tasks may wait in the long run, or a flood of connections would stop everything else. */
const HOLD_SHARE = 0.1

export interface Turns {
  /** Starts a task now or, when this turn's time is over, in one of the next turns. */
  enter(start: () => void): void
  /** Leaves more of the next turns to accepting connections. */
  noteConnection(): void
}

export function createTurns(
  turnMs = TURN_MS,
  acceptingTurnMs = ACCEPTING_TURN_MS,
  maxHoldMs = MAX_HOLD_MS,
): Turns {
  const hold = createHold(maxHoldMs)
  /** Apart from tasks that wait for the next turn, because trying hundreds in each turn would lengthen it. */
  let held: (() => void)[] = []
  let endsAt: number | undefined
  let isHolding = false
  let isAccepting = false
  let turnsWithout = 0

  /** Sets when this turn ends. It has time for at least one task, unless it holds all. */
  function begin(now: number): void {
    setImmediate(end)
    if (!isAccepting) hold.end(now)
    isHolding = isAccepting && hold.extend(now)
    endsAt = isHolding ? now : now + (isAccepting ? acceptingTurnMs : turnMs)
  }

  function end(): void {
    endsAt = undefined
    if (held.length === 0) return
    begin(performance.now())
    if (isHolding) return
    for (const start of held) setImmediate(enter, start)
    held = []
  }

  function enter(start: () => void): void {
    const now = performance.now()
    if (endsAt === undefined) begin(now)
    if (now < (endsAt as number)) start()
    else if (isHolding) held.push(start)
    // the next turn begins before the tasks that wait for it, because it was scheduled first
    else setImmediate(enter, start)
  }

  function noteConnection(): void {
    turnsWithout = 0
    if (isAccepting) return
    isAccepting = true
    setImmediate(watchConnections)
  }

  /** Waits until a whole turn has passed without a connection: tasks may enter a turn before its connection does. */
  function watchConnections(): void {
    turnsWithout++
    if (turnsWithout > 1) isAccepting = false
    else setImmediate(watchConnections)
  }

  return { enter, noteConnection }
}

/** Limits how long tasks are held: to `maxMs` at once, and to a share of the time in the long run. */
function createHold(maxMs: number) {
  let leftMs = maxMs
  let since: number | undefined
  let endedAt = 0

  function end(now: number): void {
    if (since === undefined) return
    leftMs -= now - since
    since = undefined
    endedAt = now
  }

  return {
    end,
    /** Begins or continues a hold; returns false when the time for holds is used up. */
    extend(now: number): boolean {
      if (since === undefined) {
        leftMs = Math.min(maxMs, leftMs + (now - endedAt) * HOLD_SHARE)
        endedAt = now
        if (leftMs <= 0) return false
        since = now
      }
      if (now - since < leftMs) return true
      end(now)
      return false
    },
  }
}

/** The time in one turn of the event loop that all long work shares, so that requests and health checks wait little. */
const LONG_WORK_MS = 8

let longWorkEndsAt: number | undefined
const waitingWork: (() => void)[] = []

/** Begins the time of this turn. The next turn continues one piece of the work that waits. */
function beginLongWork(now: number): number {
  setImmediate(() => {
    longWorkEndsAt = undefined
    const resume = waitingWork.shift()
    if (!resume) return
    beginLongWork(performance.now())
    resume()
  })
  longWorkEndsAt = now + LONG_WORK_MS
  return longWorkEndsAt
}

/**
 * Long work calls this between its steps: it returns a promise to wait for if the time of this turn of the event loop is
 * over, and undefined if the work may continue.
 */
export function giveWay(): Promise<void> | undefined {
  const now = performance.now()
  if (now < (longWorkEndsAt ?? beginLongWork(now))) return undefined
  return new Promise((resume) => waitingWork.push(resume))
}

/** Maps many items in order, in as many turns of the event loop as it takes. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    const turn = giveWay()
    if (turn) await turn
    results.push(map(item, index))
  }
  return results
}
