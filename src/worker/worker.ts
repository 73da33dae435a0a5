import type { FastifyBaseLogger } from 'fastify'
import { createBackupScheduler, type SchedulerOptions } from '../backup/schedule/scheduler.ts'
import type { RunDeps } from '../features/import-apps/runs/execution/execute-run.ts'
import { createScheduler } from '../features/import-apps/runs/execution/schedules.ts'
import { createLogWriter } from '../features/import-apps/runs/logs/log-writer.ts'
import { createApiAccess } from '../features/import-apps/runs/services/api-access.ts'
import { createDeliverer, type Deliverer } from '../features/notifications/deliveries/deliverer.ts'
import { sendDueSubscriptions } from '../features/notifications/subscriptions/send-due.ts'
import type { Services } from '../services.ts'
import {
  runAll,
  startLoop,
  startTimer,
  type Task,
  type TaskOptions,
  withoutOverlap,
} from './loops.ts'
import { runMaintenance } from './maintenance.ts'
import { createRunner } from './runner.ts'

export interface WorkerOptions {
  readonly log: FastifyBaseLogger
  /** The number of runs executed at the same time. */
  readonly concurrency: number
  /** Returns the URL at which apps reach the API. */
  readonly origin: () => string | undefined
  /** undefined: this worker makes no backups. */
  readonly backups?: Pick<SchedulerOptions, 'schedule' | 'source'> | undefined
}

export interface Worker {
  /** Drains: gives active runs some time to finish, then puts the rest back into the queue. */
  stop(): Promise<void>
}

/** The longest delay of a scheduled run, or of a run whose wake-up was lost. */
export const POLL_MS = 500
const HEARTBEAT_MS = 4000
/** Alerts and subscriptions are due by the hour, so a few seconds of delay do not matter. */
export const NOTIFICATIONS_MS = 5000
const BACKUPS_MS = 60_000
const FIRST_MAINTENANCE_MS = 60_000
const MAINTENANCE_MS = 60 * 60_000

/**
 * Executes runs, checks alerts, sends subscriptions, delivers notifications and makes scheduled backups until it is
 * stopped. Any number of workers may share a database.
 */
export function startWorker(
  services: Omit<Services, 'close'>,
  { log, concurrency, origin, backups }: WorkerOptions,
): Worker {
  const { storage, events, secrets, runtime, wakeUps, results, alerts } = services
  const { mailer, tracer, converter } = services
  const { db } = storage
  let stopping = false
  const isStopping = () => stopping
  const toTask = (name: string, work: Task) => withoutOverlap(name, work, { log, isStopping })

  const logs = createLogWriter(db, (err) => log.warn({ err }, 'log lines of an app were lost'))
  const runDeps: RunDeps = {
    db,
    events,
    converter,
    secrets,
    runtime,
    wakeUps,
    logs,
    apiAccess: createApiAccess(db, origin),
    report: (err, run) => log.warn({ err, run: run.id }, 'could not execute a run'),
  }
  const runner = createRunner(runDeps, { concurrency, log, isStopping, tracer })
  const deliverer = createNotificationDeliverer(services, { log, origin, isStopping })

  const queueScheduledRuns = toTask('schedules', createScheduler(db, wakeUps))
  const deliver = toTask('delivering', deliverer.fill)
  const checkAlerts = toTask('checking alerts', () => alerts.checkDue(isStopping))
  const sendSubscriptions = toTask('sending subscriptions', () =>
    sendDueSubscriptions({
      db,
      results,
      wakeUps,
      isStopping,
      report: (err, { id }) => log.warn({ err, subscription: id }, 'could not send a subscription'),
    }),
  )
  const scheduler =
    backups &&
    createBackupScheduler({ ...backups, db, mailer, origin, warn: (message) => log.warn(message) })
  const backUp = toTask('backing up', async () => scheduler?.run())
  const maintain = toTask('maintenance', () => runMaintenance(db, events))

  const onWakeUp = [runner.claimRuns, runner.stopCanceledRuns, deliver]
  const stopListening = wakeUps.listen(() => runAll(onWakeUp))
  const stopPolling = startLoop(POLL_MS, ...onWakeUp, queueScheduledRuns)
  const loops = [
    startLoop(HEARTBEAT_MS, runner.heartbeat),
    startLoop(NOTIFICATIONS_MS, checkAlerts, sendSubscriptions),
    startLoop(BACKUPS_MS, backUp),
    startTimer(FIRST_MAINTENANCE_MS, maintain),
    startLoop(MAINTENANCE_MS, maintain),
  ]
  runAll([runner.claimRuns, runner.heartbeat, deliver, checkAlerts, sendSubscriptions, backUp])

  return {
    async stop() {
      stopping = true
      scheduler?.stop()
      stopListening()
      stopPolling() // heartbeats continue, or other workers would take over the runs
      await runner.drain()
      await Promise.all([checkAlerts(), sendSubscriptions(), deliver()]) // each finishes its current item
      await deliverer.idle()
      await backUp()
      for (const stopLoop of loops) stopLoop()
      await logs.close()
    },
  }
}

export const createNotificationDeliverer = (
  { storage, secrets, notificationSender }: Omit<Services, 'close'>,
  {
    log,
    origin,
    isStopping,
  }: Pick<WorkerOptions, 'log' | 'origin'> & Pick<TaskOptions, 'isStopping'>,
): Deliverer =>
  createDeliverer({
    db: storage.db,
    secrets,
    sender: notificationSender,
    origin,
    isStopping,
    report: (err, { id }) => log.warn({ err, delivery: id }, 'could not send a delivery'),
  })
