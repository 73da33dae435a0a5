import type { Progress } from '../contract.ts'

/** Apps report progress as often as they like; the service stores it a few times a second. */
const INTERVAL_MS = 200

export interface ProgressRelay {
  report(progress: Progress): void
  /** Passes on the latest report. */
  end(): void
}

export function createProgressRelay(pass: (progress: Progress) => void): ProgressRelay {
  let latest: Progress | undefined
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    if (latest) pass(latest)
    latest = undefined
  }
  const flushEveryInterval = () => {
    timer = undefined
    if (!latest) return
    flush()
    timer = setTimeout(flushEveryInterval, INTERVAL_MS)
  }

  return {
    report(progress) {
      latest = progress
      if (!timer) flushEveryInterval()
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      flush()
    },
  }
}
