import type { Services } from '../services.ts'
import { runAll, startLoop, withoutOverlap } from './loops.ts'
import {
  createNotificationDeliverer,
  NOTIFICATIONS_MS,
  POLL_MS,
  type Worker,
  type WorkerOptions,
} from './worker.ts'

/**
 * Checks the alerts on imports and delivers notifications in a server without a worker: when every worker has died,
 * nobody else would tell that no import runs.
 */
export function startWatch(
  services: Omit<Services, 'close'>,
  { log, origin }: Pick<WorkerOptions, 'log' | 'origin'>,
): Worker {
  const { alerts, wakeUps } = services
  let stopping = false
  const isStopping = () => stopping
  const options = { log, isStopping }
  const deliverer = createNotificationDeliverer(services, { ...options, origin })
  const deliver = withoutOverlap('delivering', deliverer.fill, options)
  const check = withoutOverlap('checking alerts', () => alerts.checkDueImports(isStopping), options)
  const stopListening = wakeUps.listen(() => void deliver())
  const loops = [startLoop(POLL_MS, deliver), startLoop(NOTIFICATIONS_MS, check)]
  runAll([check, deliver])
  return {
    async stop() {
      stopping = true
      stopListening()
      for (const stopLoop of loops) stopLoop()
      await Promise.all([check(), deliver()])
      await deliverer.idle()
    },
  }
}
