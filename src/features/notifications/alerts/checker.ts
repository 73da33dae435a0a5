import { type RefreshPolicy, toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { type CheckDeps, checkAlert } from './check.ts'
import { checkImportAlert } from './imports/check.ts'
import { claimImportAlert } from './imports/store.ts'
import { type AlertWithQuery, claimAlert, listActiveAlerts } from './store.ts'

export interface AlertChecker {
  /** Checks due alerts. Any number of servers can do so at once. */
  checkDue(isStopping: () => boolean): Promise<void>
  /** Checks due alerts on imports only, which needs no query. */
  checkDueImports(isStopping: () => boolean): Promise<void>
  close(): Promise<void>
}

export interface AlertCheckerOptions extends CheckDeps {
  readonly wakeUps: WakeUps
  readonly warn: (message: string) => void
}

/** Checks alerts after each refresh of their insight, in the process that computed it. */
export function createAlertChecker(options: AlertCheckerOptions): AlertChecker {
  const { db, results, wakeUps, warn } = options
  const checking = new Set<Promise<void>>()

  results.onComputed(({ projectId, insightIds }) => {
    if (insightIds.length === 0) return
    const checks = checkAll(projectId, insightIds)
      .catch((error) => warn(`Alerts could not be checked: ${error.message}`)) // retried when due
      .finally(() => checking.delete(checks))
    checking.add(checks)
  })

  async function checkAll(projectId: number, insightIds: readonly number[]): Promise<void> {
    for (const alert of await listActiveAlerts(db, projectId, insightIds)) {
      await check(alert, toRefreshPolicy('force_cache'))
    }
  }

  async function check(alert: AlertWithQuery, refresh: RefreshPolicy): Promise<void> {
    if (await checkAlert(options, alert, refresh)) wakeUps.notify()
  }

  async function checkDueImports(isStopping: () => boolean): Promise<void> {
    while (!isStopping()) {
      const alert = await claimImportAlert(db)
      if (!alert) return
      try {
        if (await checkImportAlert(db, alert, options.clock)) wakeUps.notify()
      } catch (error) {
        warn(`Alert ${alert.uuid} could not be checked: ${(error as Error).message}`)
      }
    }
  }

  return {
    checkDueImports,
    async checkDue(isStopping) {
      await checkDueImports(isStopping)
      while (!isStopping()) {
        const alert = await claimAlert(db)
        if (!alert) return
        try {
          await check(alert, toRefreshPolicy('blocking'))
        } catch (error) {
          // continues with the others; this one is retried when its lease ends
          warn(`Alert ${alert.uuid} could not be checked: ${(error as Error).message}`)
        }
      }
    },
    async close() {
      await Promise.all(checking)
    },
  }
}
