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
