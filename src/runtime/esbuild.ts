type Esbuild = typeof import('esbuild')

/** Compiling several apps in a row starts one process, not one each. */
const IDLE_MS = 1000

let inUse = 0
let stopTimer: NodeJS.Timeout | undefined

/** Runs esbuild's process only while it is in use, because most servers compile nothing. */
export async function withEsbuild<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import('esbuild')
  inUse += 1
  clearTimeout(stopTimer)
  try {
    return await work(esbuild)
  } finally {
    inUse -= 1
    if (inUse === 0) stopTimer = setTimeout(() => void esbuild.stop(), IDLE_MS).unref()
  }
}
