import type { EventStore } from '#server/analytics/event-store.ts'
import type { Answer } from '#server/analytics/queries/answer.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import { createLimit } from '#server/concurrency.ts'
import { changeProject } from '#server/db/change.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError, invalid } from '#server/errors.ts'
import { contextOf } from './context.ts'
import { createKeptRows } from './kept-rows.ts'
import { createPeriods } from './key.ts'
import { type Asked, type Question, toQuestions } from './question.ts'
import { listResults, type ResultRow, saveResult } from './store.ts'

/** What is known of an answer, and whether it still holds. */
export interface Found {
  readonly key: string
  readonly row: ResultRow | undefined
  readonly isFresh: boolean
  readonly isRunning: boolean
  readonly zone: string
  /** Why there can be no answer: the question is wrong. */
  readonly problem: ApiError | undefined
}

/**
 * Whether to compute: never, if what is known does not hold any more and is not quite new either, if it does not hold
 * any more, or in any case; and whether to wait for it.
 */
export interface Refresh {
  readonly when: 'never' | 'old' | 'stale' | 'always'
  readonly wait: boolean
}

export interface Results {
  /** In the same order. Only the project's own events are looked at. */
  find(projectId: number, asked: readonly Asked[], refresh: Refresh): Promise<Found[]>
  /** A computation that was asked for under this key. */
  findByKey(projectId: number, key: string): Promise<Found | undefined>
  /** Calls back after each computation, with the insights that asked for it. */
  onComputed(tell: (computed: Computed) => void): void
  close(): Promise<void>
}

export interface Computed {
  readonly projectId: number
  readonly insightIds: readonly number[]
}

const COMPUTED_AT_ONCE = 2
const TIMEOUT_MS = 60_000
/** Beyond this nobody could draw it, and every reader would have to take it along. */
const MAX_ANSWER_LENGTH = 8 * 1024 * 1024
/** While events pour in, every answer is old as soon as it is there: it is not computed again at once. */
const MIN_AGE_MS = 3000
const AGE_PER_DURATION = 20

/** A question, and all that its answer depends on. */
interface Work extends Question {
  readonly projectId: number
  readonly version: string
  readonly context: Omit<Context, 'attr'>
}

interface Running {
  readonly version: string
  readonly insightIds: Set<number>
  readonly done: Promise<ResultRow>
  isDone: boolean
}

/** Whoever looked just before an answer was saved finds the computation of it, and starts no other. */
const REMEMBER_MS = 1000

/** Answers are kept in the database, computed once however many ask, and by no more than a few at a time. */
export function createResults(db: Db, events: EventStore): Results {
  const running = new Map<string, Running>()
  const limit = createLimit(COMPUTED_AT_ONCE)
  const kept = createKeptRows(db)
  const listeners: ((computed: Computed) => void)[] = []

  async function find(
    projectId: number,
    asked: readonly Asked[],
    { when, wait }: Refresh,
  ): Promise<Found[]> {
    if (asked.length === 0) return []
    const context = await contextOf(db, projectId)
    const questions = toQuestions(projectId, asked, context)
    const keys = questions.flatMap((each) => (each instanceof ApiError ? [] : [each.key]))
    const [rows, version] = await Promise.all([
      kept.list(projectId, keys),
      events.version(projectId),
    ])
    const periodOf = createPeriods(context)
    return Promise.all(
      questions.map(async (question) => {
        if (question instanceof ApiError) return toRefused(question, context.zone)
        const row = rows.get(question.key)
        const isFresh = holds(row, version, periodOf(question.source))
        if (isWanted(when, isFresh, row)) {
          const work = { ...question, projectId, version, context }
          const computing = start(work, when === 'always')
          if (wait) return toFound(question.key, await computing, true, context.zone)
          computing.catch(() => {}) // the next to ask tries again
        }
        return toFound(question.key, row, isFresh, context.zone)
      }),
    )
  }

  /** Those who ask meanwhile wait for the same computation, unless there are newer events than it knows of. */
  function start(work: Work, anew: boolean): Promise<ResultRow> {
    const { key, version, insightId } = work
    const known = running.get(key)
    if (known?.version === version && !(anew && known.isDone)) {
      if (insightId !== undefined) known.insightIds.add(insightId)
      return known.done
    }
    const insightIds = new Set(insightId === undefined ? [] : [insightId])
    const compute = () => limit(() => computeAndSave(work, insightIds))
    const started: Running = {
      version,
      insightIds,
      done: known ? known.done.then(compute, compute) : compute(),
      isDone: false,
    }
    running.set(key, started)
    const forget = () => void (running.get(key) === started && running.delete(key))
    started.done.then(() => {
      started.isDone = true
      setTimeout(forget, REMEMBER_MS).unref()
    }, forget)
    return started.done
  }

  async function computeAndSave(work: Work, insightIds: Set<number>): Promise<ResultRow> {
    const { projectId, key, source, version } = work
    const context = { ...work.context, attr: work.attr }
    const { answer } = await import('#server/analytics/queries/answer.ts') // a hundred modules
    const start = performance.now()
    const outcome = await toOutcome(() => answer(events, projectId, source, context, TIMEOUT_MS))
    const row: ResultRow = {
      key,
      project_id: projectId,
      version,
      period: createPeriods(context)(source),
      ...outcome,
      computed_at: new Date().toISOString(),
      duration_ms: Math.round(performance.now() - start),
    }
    await changeProject(db, projectId, async (tx) => {
      await saveResult(tx, row)
      if (insightIds.size > 0) {
        await touchDashboardsShowing(tx, projectId, 'insight_id', [...insightIds])
      }
    })
    kept.keep(row)
    for (const tell of listeners) tell({ projectId, insightIds: [...insightIds] })
    return row
  }

  const isRunning = (key: string): boolean => running.get(key)?.isDone === false

  const toFound = (
    key: string,
    row: ResultRow | undefined,
    isFresh: boolean,
    zone: string,
  ): Found => ({ key, row, isFresh, isRunning: isRunning(key), zone, problem: problemOf(row) })

  return {
    find,
    async findByKey(projectId, key) {
      const row = (await listResults(db, projectId, [key])).get(key)
      if (!row && !isRunning(key)) return undefined
      const { zone } = await contextOf(db, projectId)
      return toFound(key, row, !isRunning(key), zone)
    },
    onComputed: (tell) => void listeners.push(tell),
    async close() {
      await Promise.allSettled([...running.values()].map(({ done }) => done))
    },
  }
}

const holds = (row: ResultRow | undefined, version: string, period: string): boolean =>
  row !== undefined && row.version === version && row.period === period

function isWanted(when: Refresh['when'], isFresh: boolean, row: ResultRow | undefined): boolean {
  if (when === 'never' || when === 'always') return when === 'always'
  if (isFresh || when === 'stale' || !row) return !isFresh
  const age = Date.now() - Date.parse(row.computed_at)
  return age > Math.max(MIN_AGE_MS, row.duration_ms * AGE_PER_DURATION)
}

type Outcome = Pick<ResultRow, 'results' | 'details' | 'problem'>

/** What is wrong with a question is an answer too, and kept; what is wrong with us is not. */
async function toOutcome(compute: () => Promise<Answer>): Promise<Outcome> {
  try {
    const { results, ...details } = await compute()
    const text = JSON.stringify(results)
    if (text.length <= MAX_ANSWER_LENGTH) {
      return { results: text, details: JSON.stringify(details), problem: null }
    }
    throw invalid('query', 'The answer is too large. Ask for fewer values or a shorter time.')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, attr } = error
    return { results: null, details: '{}', problem: JSON.stringify({ code, message, attr }) }
  }
}

function problemOf(row: ResultRow | undefined): ApiError | undefined {
  if (!row?.problem) return undefined
  const { code, message, attr } = JSON.parse(row.problem)
  return new ApiError(code, message, attr)
}

const toRefused = (problem: ApiError, zone: string): Found => ({
  key: '',
  row: undefined,
  isFresh: true,
  isRunning: false,
  zone,
  problem,
})
