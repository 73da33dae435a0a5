import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until `check` returns a value other than undefined or false. */
export async function until<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 60,
): Promise<T> {
  const giveUpAt = performance.now() + seconds * 1000
  for (;;) {
    const result = await check()
    if (result !== undefined && result !== false) return result
    if (performance.now() > giveUpAt)
      throw new Error(`The condition was not met within ${seconds} s.`)
    await sleep(20)
  }
}
