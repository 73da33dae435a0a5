import type { AppSpec } from '../contract.ts'
import { type Failure, STOPPED, STOPPING } from '../failure.ts'
import type { Limits } from '../limits.ts'
import type { AppProcess } from '../process/app-process.ts'
import { invokeWithin } from './set-up.ts'

interface Slot {
  readonly spec: AppSpec
  app: AppProcess | undefined
  isBusy: boolean
  isForgotten: boolean
  idle: NodeJS.Timeout | undefined
}

/** Warm processes, at most one for each config. */
export interface ProcessPool {
  /**
   * The config's process, or the one that `start` gives. Nobody else gets it before `giveBack`; whose turn it is, is
   * the caller's business.
   */
  acquire(spec: AppSpec, start: () => Promise<AppProcess>): Promise<AppProcess>
  release(configId: number): Promise<void>
  evict(configId: number): Promise<void>
  /** Idle processes end well; those in use are the business of whoever uses them. */
  close(): Promise<void>
}

export function createProcessPool(limits: Limits): ProcessPool {
  const places = new Map<number, Slot>()
  let isClosed = false
  let onFree = Promise.withResolvers<void>()

  const tellFree = () => {
    onFree.resolve()
    onFree = Promise.withResolvers<void>()
  }

  async function remove(place: Slot): Promise<void> {
    clearTimeout(place.idle)
    if (places.get(place.spec.configId) === place) places.delete(place.spec.configId)
    if (place.app?.isAlive) await unload(place.app, place.spec, limits)
    tellFree()
  }

  /** Those in use cannot be taken away: then whoever needs one more waits. */
  async function makeRoom(): Promise<void> {
    while (places.size >= limits.maxProcesses && !isClosed) {
      const oldest = places.values().find(({ isBusy }) => !isBusy)
      await (oldest ? remove(oldest) : onFree.promise)
    }
  }

  return {
    async acquire(spec, start) {
      const warm = places.get(spec.configId)
      if (warm) {
        clearTimeout(warm.idle)
        warm.isBusy = true
        if (warm.app?.isAlive && warm.spec.version === spec.version && !warm.isForgotten) {
          return warm.app
        }
        await remove(warm)
      }
      await makeRoom()
      if (isClosed) throw STOPPING
      const place: Slot = {
        spec,
        app: undefined,
        isBusy: true,
        isForgotten: false,
        idle: undefined,
      }
      places.set(spec.configId, place)
      try {
        place.app = await start()
        return place.app
      } catch (error) {
        await remove(place)
        throw error
      }
    },
    async release(configId) {
      const place = places.get(configId)
      if (!place) return
      place.isBusy = false
      if (isClosed || place.isForgotten || !place.app?.isAlive) return remove(place)
      // to the end: the first that is idle has been so for longest
      places.delete(configId)
      places.set(configId, place)
      place.idle = setTimeout(() => void remove(place), limits.idleMs)
      place.idle.unref()
      tellFree()
    },
    async evict(configId) {
      const place = places.get(configId)
      if (!place) return
      place.isForgotten = true
      if (!place.isBusy) await remove(place)
    },
    async close() {
      isClosed = true
      tellFree()
      const idle = [...places.values()].filter(({ isBusy }) => !isBusy)
      await Promise.all(idle.map(remove))
    },
  }
}

/** `teardownPlugin` may have its say, and then the process ends whatever it said. */
async function unload(app: AppProcess, spec: AppSpec, limits: Limits): Promise<void> {
  try {
    await invokeWithin(app, { what: 'teardown' }, limits.teardownMs, spec)
    app.host.run?.log.write('SYSTEM', 'DEBUG', 'Plugin unloaded.')
  } catch (error) {
    const { message } = error as Failure
    app.host.run?.log.write('SYSTEM', 'ERROR', `Plugin failed to unload: ${message}`)
  }
  await app.kill(STOPPED)
}
