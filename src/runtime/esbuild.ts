type Esbuild = typeof import('esbuild')

/** Compiling several apps in a row starts one process, not one each. */
const IDLE_MS = 1000

let inUse = 0
let stopTimer: NodeJS.Timeout | undefined

/** Tells whether esbuild's process has ended, as it does once its stack is full. */
export const hasStopped = (error: unknown): boolean =>
  error instanceof Error && /service (was stopped|is no longer running)/.test(error.message)

/** Runs esbuild's process only while it is in use, because most servers compile nothing. */
export async function withEsbuild<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import('esbuild')
  inUse += 1
  clearTimeout(stopTimer)
  try {
    return await work(esbuild)
  } catch (error) {
    if (hasStopped(error)) await esbuild.stop() // or it would not start again
    throw error
  } finally {
    inUse -= 1
    if (inUse === 0) stopTimer = setTimeout(() => void esbuild.stop(), IDLE_MS).unref()
  }
}
