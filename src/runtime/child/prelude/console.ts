import type { FromApp } from '#server/runtime/wire/protocol.ts'

const TYPES = { debug: 'DEBUG', log: 'LOG', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const

export interface AppConsole {
  readonly console: Readonly<Record<keyof typeof TYPES, (...args: unknown[]) => void>>
  /** Resets the count of lines. */
  startRun(): void
}

/** Sends only as many lines as the host keeps. The host counts them too. */
export function createConsole(
  send: (message: FromApp) => void,
  limits: { readonly maxLogLines: number; readonly maxLogMessageLength: number },
): AppConsole {
  let lines = 0

  const log =
    (type: string) =>
    (...args: unknown[]): void => {
      lines += 1
      if (lines > limits.maxLogLines + 1) return
      const message = args.map(toText).join(' ')
      send({ t: 'log', type, message: message.slice(0, limits.maxLogMessageLength + 1) })
    }

  const console = {
    debug: log(TYPES.debug),
    log: log(TYPES.log),
    info: log(TYPES.info),
    warn: log(TYPES.warn),
    error: log(TYPES.error),
  }
  const startRun = () => {
    lines = 0
  }
  return { console, startRun }
}

function toText(value: unknown): string {
  if (!isPlain(value)) return String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
