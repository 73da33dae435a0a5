const CHECK_INTERVAL_MS = 500

/** A request, or the public link of a dashboard. */
interface Access {
  /** Throws once it is revoked. */
  requireAccess(): Promise<unknown>
}

/**
 * Runs work for a caller only while the caller has access: aborts the work's signal when access is revoked, and checks
 * once more before it returns the result.
 */
export async function whileAllowed<T>(
  access: Access,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController()
  const { promise: refused, reject } = Promise.withResolvers<never>()
  const timer = setInterval(
    () =>
      access.requireAccess().catch((error) => {
        control.abort(error)
        reject(error)
      }),
    CHECK_INTERVAL_MS,
  )
  try {
    const result = await Promise.race([work(control.signal), refused])
    await access.requireAccess()
    return result
  } finally {
    clearInterval(timer)
  }
}

/** Yields the bytes that a caller sends while the caller has access; the last check follows the last byte. */
export async function* readWhileAllowed<T>(
  access: Access,
  parts: AsyncIterable<T>,
): AsyncIterable<T> {
  let checkedAt = performance.now()
  for await (const part of parts) {
    if (performance.now() - checkedAt > CHECK_INTERVAL_MS) {
      await access.requireAccess()
      checkedAt = performance.now()
    }
    yield part
  }
  await access.requireAccess()
}
