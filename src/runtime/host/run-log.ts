import { sanitizeText } from '#server/db/sanitize.ts'
import type { AppServices, LogLine } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { Mask } from './mask.ts'

/** The log of a run: limited in lines and bytes, and without secrets. */
export interface RunLog {
  write(source: LogLine['source'], type: LogLine['type'], message: string): void
}

export function createRunLog(
  services: Pick<AppServices, 'log'>,
  mask: Mask,
  limits: Limits,
): RunLog {
  let lines = 0
  let bytes = 0
  let isFull = false

  const log = (source: LogLine['source'], type: LogLine['type'], text: string) => {
    const isLong = text.length > limits.maxLogMessageLength
    const masked = mask(text, limits.maxLogMessageLength)
    const message = sanitizeText(isLong ? `${masked} ... (cut)` : masked)
    services.log({ source, type, message, at: new Date().toISOString() })
  }

  return {
    write(source, type, message) {
      if (source === 'SYSTEM') return log(source, type, message)
      if (isFull) return
      lines += 1
      bytes += message.length
      if (lines > limits.maxLogLines || bytes > limits.maxLogBytes) {
        isFull = true
        const limit = `${limits.maxLogLines} lines or ${limits.maxLogBytes} bytes`
        return log('SYSTEM', 'WARN', `The app logged more than ${limit}; the rest is left out.`)
      }
      log(source, type, message)
    },
  }
}
