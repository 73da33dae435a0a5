type Esbuild = typeof import('esbuild')

let inUse = 0

/** Runs esbuild's process only while it is in use, because most servers compile nothing. */
export async function withEsbuild<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import('esbuild')
  inUse += 1
  try {
    return await work(esbuild)
  } finally {
    inUse -= 1
    if (inUse === 0) await esbuild.stop()
  }
}
