import type { FastifyBaseLogger } from 'fastify'
import { uuid } from '../db/values.ts'
import {
  claimRun,
  heartbeatRuns,
  listEnabledConfigIds,
  listRunStates,
} from '../features/import-apps/runs/execution/claim-store.ts'
import {
  executeRun,
  type RunDeps,
  type StopReason,
} from '../features/import-apps/runs/execution/execute-run.ts'
import { recoverAbandonedRuns } from '../features/import-apps/runs/execution/recover.ts'
import {
  queueScheduledRuns,
  startOfMinute,
} from '../features/import-apps/runs/execution/schedules.ts'
import { createLogWriter } from '../features/import-apps/runs/logs/log-writer.ts'
import { createApiAccess } from '../features/import-apps/runs/services/api-access.ts'
import { createDeliverer } from '../features/notifications/deliveries/deliverer.ts'
import { sendDueSubscriptions } from '../features/notifications/subscriptions/send-due.ts'
import type { Services } from '../services.ts'
import { runMaintenance } from './maintenance.ts'

export interface WorkerOptions {
  readonly log: FastifyBaseLogger
  /** How many runs at once. */
  readonly concurrency: number
  /** Where apps reach the API. */
  readonly origin: () => string | undefined
}

export interface Worker {
  /** Lets what runs finish for a while, then puts it back into the queue. */
  stop(): Promise<void>
}

/** How long a run whose wake-up was lost, or that becomes due by the clock, may wait. */
const LOOK_EVERY_MS = 500
const HEARTBEAT_EVERY_MS = 4000
/** What is due by the hour may be some seconds late. */
const WATCH_EVERY_MS = 5000
const TIDY_UP_FIRST_MS = 60_000
const TIDY_UP_EVERY_MS = 60 * 60_000
const FINISH_WITHIN_MS = 10_000

/** Claims runs and executes them, checks alerts and delivers what is to be told, until it is stopped. Any number of workers may share a database. */
export function startWorker(
  services: Omit<Services, 'close'>,
  { log, concurrency, origin }: WorkerOptions,
): Worker {
  const { storage, events, secrets, runtime, wakeUps, results, alerts, sender } = services
  const { db } = storage
  const id = uuid()
  const active = new Map<string, { control: AbortController; ended: Promise<void> }>()
  const warm = new Set<number>()
  const logs = createLogWriter(db, (err) => log.warn({ err }, 'log lines of an app were lost'))
  const executor: RunDeps = {
    db,
    events,
    secrets,
    runtime,
    wakeUps,
    logs,
    apiAccess: createApiAccess(db, origin),
    report: (err, run) => log.warn({ err, run: run.id }, 'a run could not be executed'),
  }
  let stopping = false
  const isStopping = () => stopping
  const deliverer = createDeliverer({
    ...{ db, secrets, sender, origin, isStopping },
    report: (err, { id: delivery }) => log.warn({ err, delivery }, 'a delivery could not be sent'),
  })
  let lastMinute = startOfMinute(Date.now())

  /** Never two of the same at once, and never an exception that nobody sees. */
  const once = (name: string, work: () => Promise<void>): (() => Promise<void>) => {
    let going: Promise<void> | undefined
    let again = false
    const go = async (): Promise<void> => {
      do {
        again = false
        await work().catch((err) => log.error({ err }, `${name} failed`))
      } while (again && !stopping)
      going = undefined
    }
    return () => {
      again = going !== undefined
      going ??= go()
      return going
    }
  }

  const fill = once('claiming runs', async () => {
    while (!stopping && active.size < concurrency) {
      const run = await claimRun(db, id)
      if (!run) return
      warm.add(run.config_id)
      const control = new AbortController()
      const ended = executeRun(executor, run, control.signal)
        .catch((err) => log.error({ err, run: run.id }, 'a run could not be settled'))
        .finally(() => {
          active.delete(run.id)
          void fill()
        })
      active.set(run.id, { control, ended })
    }
  })

  /** Ends what was cancelled or lost. Only what was active before the question was asked can be missing in the answer. */
  const heed = async (ask: typeof heartbeatRuns): Promise<void> => {
    const asked = [...active]
    if (asked.length === 0) return
    const mine = await ask(db, id)
    for (const [run, { control }] of asked) {
      const state = mine.get(run)
      if (!state) stop(control, 'lost')
      else if (state.cancelled) stop(control, 'cancelled')
    }
  }
  const lookForCancels = once('looking for cancelled runs', () => heed(listRunStates))
  const beat = once('heartbeat', async () => {
    await heed(heartbeatRuns)
    await endIdleProcesses()
    if ((await recoverAbandonedRuns(executor)) > 0) await fill()
  })
  /** A process is kept for the next run; a config that was switched off has none. */
  const endIdleProcesses = async (): Promise<void> => {
    const enabled = await listEnabledConfigIds(db, [...warm])
    for (const config of warm) {
      if (enabled.has(config)) continue
      warm.delete(config)
      await runtime.evict(config)
    }
  }
  const tick = once('schedules', async () => {
    const minute = startOfMinute(Date.now())
    if (minute <= lastMinute) return
    lastMinute = minute
    if ((await queueScheduledRuns(db, minute)) > 0) wakeUps.notify()
  })
  const deliver = once('delivering', deliverer.fill)
  const checkAlerts = once('checking alerts', () => alerts.checkDue(isStopping))
  const sendSubscriptions = once('sending subscriptions', () =>
    sendDueSubscriptions({
      ...{ db, results, wakeUps, isStopping },
      report: (err, { id: subscription }) =>
        log.warn({ err, subscription }, 'a subscription could not be sent'),
    }),
  )
  const tidy = once('tidying up', () => runMaintenance(db, events))

  const unlisten = wakeUps.listen(() => {
    void fill()
    void lookForCancels()
    void deliver()
  })
  const look = setInterval(() => {
    void fill()
    void lookForCancels()
    void deliver()
    void tick()
  }, LOOK_EVERY_MS)
  const timers = [
    setInterval(() => void beat(), HEARTBEAT_EVERY_MS),
    setInterval(() => void checkAlerts(), WATCH_EVERY_MS),
    setInterval(() => void sendSubscriptions(), WATCH_EVERY_MS),
    setTimeout(() => void tidy(), TIDY_UP_FIRST_MS),
    setInterval(() => void tidy(), TIDY_UP_EVERY_MS),
  ]
  void fill()
  void beat()
  void deliver()
  void checkAlerts()
  void sendSubscriptions()

  return {
    async stop() {
      stopping = true
      unlisten()
      clearInterval(look) // the heart beats on
      await fill() // a claim under way may still bring a run
      await Promise.race([allEnded(), after(FINISH_WITHIN_MS)])
      for (const { control } of active.values()) stop(control, 'stopping')
      await allEnded()
      await Promise.all([checkAlerts(), sendSubscriptions(), deliver()]) // each ends what it is at
      await deliverer.idle()
      for (const timer of timers) clearInterval(timer)
      await logs.close()
    },
  }

  function allEnded(): Promise<unknown> {
    return Promise.all([...active.values()].map(({ ended }) => ended))
  }
}

const stop = (control: AbortController, reason: StopReason): void => control.abort(reason)

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms).unref())
