const CHECK_INTERVAL_MS = 500

/** A request, or the public link of a dashboard. */
interface Access {
  /** Throws once it is revoked. */
  requireAccess(): Promise<unknown>
}

/**
 * Works for a caller only as long as the caller has access: checks during the work, whose signal is then aborted, and
 * once more before the result is returned.
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

/** Passes on bytes that a caller sends only as long as the caller has access; the last check follows the last byte. */
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
