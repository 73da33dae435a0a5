import { type Clock, readOwnCpu } from './clickhouse-engine.ts'
import { median, ofTurns, type Result } from './result.ts'

const ROUNDS = 5
/** The kernel counts CPU time in units of 10 ms, so a turn must take much longer. */
const TURN_MS = 500
const MAX_RUNS = 50

export interface Contestant {
  readonly clock: Clock
  run(): Promise<unknown>
}

export interface Comparison {
  readonly ratio: Pick<Result, 'value' | 'spread'>
  /** Medians of milliseconds for one run. */
  readonly one: number
  readonly other: number
  /** Milliseconds of CPU time of this process for a run of `one`. */
  readonly own: number
}

/** Alternates, so that noise hits both. Each turn has as many runs as it takes to measure them. */
export async function compareInTurns(one: Contestant, other: Contestant): Promise<Comparison> {
  for (const { run } of [one, other]) await run() // the first run compiles
  const runs = toRuns(Math.min(await measureWall(one), await measureWall(other)))
  const times: Measured[][] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, contestant] of [one, other].entries()) {
      times[index]?.push(await measure(contestant, runs))
    }
  }
  const [ones = [], others = []] = times
  const toMs = (turns: readonly Measured[]) => turns.map(({ ms }) => ms)
  return {
    ratio: ofTurns(toMs(ones), toMs(others)),
    one: median(toMs(ones)),
    other: median(toMs(others)),
    own: median(ones.map(({ own }) => own)),
  }
}

const toRuns = (ms: number): number => Math.min(Math.max(Math.ceil(TURN_MS / ms), 1), MAX_RUNS)

async function measureWall({ run }: Contestant): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

interface Measured {
  readonly ms: number
  readonly own: number
}

async function measure({ clock, run }: Contestant, runs: number): Promise<Measured> {
  const [before, ownBefore] = [await clock(), readOwnCpu()]
  for (let done = 0; done < runs; done++) await run()
  const own = readOwnCpu() - ownBefore
  return { ms: ((await clock()) - before) / runs, own: own / runs }
}
