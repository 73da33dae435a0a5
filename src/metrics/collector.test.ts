import { expect, it, onTestFinished, vi } from 'vitest'
import { limitTime } from './collector.ts'

it('reads a silent database once for several scrapes, and waits 5 s for it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const database = Promise.withResolvers<void>()
  const read = vi.fn(() => database.promise)
  const collect = limitTime(read)

  for (const _scrape of [1, 2]) {
    const refused = expect(collect()).rejects.toThrow('took too long')
    await vi.advanceTimersByTimeAsync(5000)
    await refused
  }
  expect(read).toHaveBeenCalledTimes(1)

  database.resolve()
  await collect()
  await collect()
  expect(read).toHaveBeenCalledTimes(2)
})
