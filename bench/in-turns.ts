const ROUNDS = 5

/** Alternates, so that noise hits both. The first round warms up. */
export async function inTurns(one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, work] of [one, other].entries()) {
      const start = performance.now()
      await work()
      if (round > 0) times[index as 0 | 1].push(performance.now() - start)
    }
  }
  return times
}
