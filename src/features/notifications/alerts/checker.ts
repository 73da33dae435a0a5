import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { checkAlert } from './check.ts'
import { type AlertWithQuery, claimAlert, listActiveAlerts } from './store.ts'

export interface AlertChecker {
  /** Checks those whose time has come. Any number of servers may do it at once. */
  checkDue(isStopping: () => boolean): Promise<void>
  close(): Promise<void>
}

/** Checks alerts after each refresh of what they watch, in whichever process that happened. */
export function createAlertChecker(
  db: Db,
  results: Results,
  wakeUps: WakeUps,
  warn: (message: string) => void,
): AlertChecker {
  const checking = new Set<Promise<void>>()

  results.onComputed(({ projectId, insightIds }) => {
    if (insightIds.length === 0) return
    const check = checkAll(projectId, insightIds)
      .catch((error) => warn(`Alerts could not be checked: ${error.message}`)) // their time comes
      .finally(() => checking.delete(check))
    checking.add(check)
  })

  async function checkAll(projectId: number, insightIds: readonly number[]): Promise<void> {
    for (const alert of await listActiveAlerts(db, projectId, insightIds)) {
      await check(alert, toRefreshPolicy('force_cache'))
    }
  }

  async function check(...[alert, refresh]: [AlertWithQuery, Parameters<Results['find']>[2]]) {
    if (await checkAlert(db, results, alert, refresh)) wakeUps.notify()
  }

  return {
    async checkDue(isStopping) {
      while (!isStopping()) {
        const alert = await claimAlert(db)
        if (!alert) return
        try {
          await check(alert, toRefreshPolicy('blocking'))
        } catch (error) {
          // the others are not to wait for it: it is tried again when its lease ends
          warn(`Alert ${alert.uuid} could not be checked: ${(error as Error).message}`)
        }
      }
    },
    async close() {
      await Promise.all(checking)
    },
  }
}
