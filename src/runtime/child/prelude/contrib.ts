/** A buffer of `@posthog/plugin-contrib`, with the fields that apps look at. */
interface AppBuffer {
  _buffer: unknown[]
  _points: number
  _timeout: null
  readonly _options: BufferOptions
  add(object: unknown, points?: number): void
  flush(): Promise<void>
}

interface BufferOptions {
  readonly limit: number
  readonly timeoutSeconds: number
  readonly onFlush?: (objects: unknown[], points: number) => unknown
}

/** The package `@posthog/plugin-contrib`, and the flushing of its buffers. */
export interface Contrib {
  readonly createBuffer: (options?: Partial<BufferOptions>) => AppBuffer
  /** Rejects with the first error of an `onFlush` since the last call. */
  flushAll(): Promise<void>
}

/**
 * Flushes buffers at their limit and at the end of each run instead of after `timeoutSeconds`, because an app's process
 * is suspended between runs.
 */
export function createContrib(): Contrib {
  const buffers = new Set<AppBuffer>()
  const flushes = new Set<Promise<void>>()

  const startFlush = (buffer: AppBuffer): void => {
    const flush = buffer.flush()
    flushes.add(flush)
    flush.catch(() => {}) // reported by `flushAll`
  }

  return {
    createBuffer(options = {}) {
      const buffer: AppBuffer = {
        _buffer: [],
        _points: 0,
        _timeout: null,
        _options: { limit: 10, timeoutSeconds: 60, ...options },
        add(object, points = 1) {
          const { limit } = buffer._options
          if (buffer._points > 0 && buffer._points + points > limit) startFlush(buffer)
          buffer._points += points
          buffer._buffer.push(object)
          if (buffer._points > limit) startFlush(buffer)
        },
        async flush() {
          const { _buffer: objects, _points: points } = buffer
          if (objects.length === 0 && points === 0) return
          buffer._buffer = []
          buffer._points = 0
          await buffer._options.onFlush?.(objects, points)
        },
      }
      buffers.add(buffer)
      return buffer
    },
    async flushAll() {
      for (const buffer of buffers) startFlush(buffer)
      const pending = [...flushes]
      flushes.clear()
      await Promise.all(pending)
    },
  }
}
