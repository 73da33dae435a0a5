import { onTestFinished, vi } from 'vitest'

/** Runs work and counts the turns of the event loop that begin in the meantime. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    if (isDone) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return turns
}

/** Lets each look at the clock take a millisecond, so that much work takes long on every machine. */
export function slowDown(): void {
  const read = performance.now.bind(performance)
  let looks = 0
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => read() + looks++)
  onTestFinished(async () => {
    await new Promise(setImmediate) // the last turn ends by this clock
    spy.mockRestore()
  })
}
