import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again until the answer is one: for what happens in its own time. */
export async function until<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 60,
): Promise<T> {
  const giveUpAt = performance.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > giveUpAt) throw new Error(`Waited ${seconds} s for nothing.`)
    await sleep(20)
  }
}
