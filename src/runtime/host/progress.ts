import type { Progress } from '../contract.ts'

/** Apps tell their progress as often as they like; it is passed on a few times a second. */
const EVERY = 200

export interface ProgressReporter {
  report(progress: Progress): void
  /** Passes on what was told last. */
  end(): void
}

export function createProgress(pass: (progress: Progress) => void): ProgressReporter {
  let latest: Progress | undefined
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    if (latest) pass(latest)
    latest = undefined
  }
  const next = () => {
    timer = undefined
    if (!latest) return
    flush()
    timer = setTimeout(next, EVERY)
  }

  return {
    report(progress) {
      latest = progress
      if (timer) return
      flush()
      timer = setTimeout(next, EVERY)
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      flush()
    },
  }
}
