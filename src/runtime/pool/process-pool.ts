import type { AppSpec } from '../contract.ts'
import { type Failure, STOPPED, STOPPING } from '../failure.ts'
import type { Limits } from '../limits.ts'
import type { AppProcess } from './app-process.ts'
import { invokeWithin } from './set-up.ts'

/** A config's place in the pool, with its process once that has started. */
interface Slot {
  readonly spec: AppSpec
  app: AppProcess | undefined
  isBusy: boolean
  isEvicted: boolean
  idleTimer: NodeJS.Timeout | undefined
}

/** Keeps warm processes, at most one per config. */
export interface ProcessPool {
  /** Returns the config's warm process, or the one that `start` creates. The caller must never acquire a config twice. */
  acquire(spec: AppSpec, start: () => Promise<AppProcess>): Promise<AppProcess>
  release(configId: number): Promise<void>
  /** Stops the config's process now, or when it is released. */
  evict(configId: number): Promise<void>
  /** Tears down idle processes. Those in use stop when they are released. */
  close(): Promise<void>
}

export function createProcessPool(limits: Limits): ProcessPool {
  const slots = new Map<number, Slot>()
  let isClosed = false
  let slotFreed = Promise.withResolvers<void>()

  const notifyFreed = () => {
    slotFreed.resolve()
    slotFreed = Promise.withResolvers<void>()
  }

  async function remove(slot: Slot): Promise<void> {
    clearTimeout(slot.idleTimer)
    if (slots.get(slot.spec.configId) === slot) slots.delete(slot.spec.configId)
    if (slot.app?.isAlive) await tearDown(slot.app, slot.spec, limits)
    notifyFreed()
  }

  /** Removes the process that has been idle longest. If all are busy, waits for a release. */
  async function waitForRoom(): Promise<void> {
    while (slots.size >= limits.maxProcesses && !isClosed) {
      const oldestIdle = slots.values().find(({ isBusy }) => !isBusy)
      await (oldestIdle ? remove(oldestIdle) : slotFreed.promise)
    }
  }

  return {
    async acquire(spec, start) {
      const warm = slots.get(spec.configId)
      if (warm) {
        clearTimeout(warm.idleTimer)
        warm.isBusy = true
        if (warm.app?.isAlive && warm.spec.version === spec.version && !warm.isEvicted) {
          warm.app.resume()
          return warm.app
        }
        await remove(warm)
      }
      await waitForRoom()
      if (isClosed) throw STOPPING
      const slot: Slot = {
        spec,
        app: undefined,
        isBusy: true,
        isEvicted: false,
        idleTimer: undefined,
      }
      slots.set(spec.configId, slot)
      try {
        slot.app = await start()
        return slot.app
      } catch (error) {
        await remove(slot)
        throw error
      }
    },
    async release(configId) {
      const slot = slots.get(configId)
      if (!slot) return
      slot.isBusy = false
      if (isClosed || slot.isEvicted || !slot.app?.isAlive) return remove(slot)
      slot.app.suspend()
      // at the end of the map, so that the first idle slot is the one idle longest
      slots.delete(configId)
      slots.set(configId, slot)
      slot.idleTimer = setTimeout(() => void remove(slot), limits.idleMs)
      slot.idleTimer.unref()
      notifyFreed()
    },
    async evict(configId) {
      const slot = slots.get(configId)
      if (!slot) return
      slot.isEvicted = true
      if (!slot.isBusy) await remove(slot)
    },
    async close() {
      isClosed = true
      notifyFreed()
      const idle = [...slots.values()].filter(({ isBusy }) => !isBusy)
      await Promise.all(idle.map(remove))
    },
  }
}

/** Calls `teardownPlugin` with the services of the last run, then kills the process whatever came of it. */
async function tearDown(app: AppProcess, spec: AppSpec, limits: Limits): Promise<void> {
  try {
    app.resume()
    if (app.host.run) app.host.startRun(app.host.run.renew())
    await invokeWithin(app, { kind: 'teardown' }, limits.teardownMs, spec)
    app.host.run?.log.write('SYSTEM', 'DEBUG', 'App unloaded.')
  } catch (error) {
    const { message } = error as Failure
    app.host.run?.log.write('SYSTEM', 'ERROR', `App failed to unload: ${message}`)
  }
  await app.kill(STOPPED)
  await app.host.endRun()
}
