import { toStorableText } from '#server/db/storable.ts'
import type { AppServices, LogLine } from '../contract.ts'
import type { Limits } from '../limits.ts'

/** What a run may log: so many lines, so many bytes, no secrets. */
export interface RunLog {
  write(source: LogLine['source'], type: LogLine['type'], message: string): void
}

export function createRunLog(
  services: Pick<AppServices, 'log'>,
  mask: (text: string) => string,
  limits: Limits,
): RunLog {
  let lines = 0
  let bytes = 0
  let isFull = false

  const pass = (source: LogLine['source'], type: LogLine['type'], message: string) =>
    services.log({ source, type, message, at: new Date().toISOString() })

  return {
    write(source, type, message) {
      if (source === 'SYSTEM')
        return pass(source, type, cut(mask(message), limits.maxLogMessageLength))
      if (isFull) return
      lines += 1
      bytes += message.length
      if (lines > limits.maxLogLines || bytes > limits.maxLogBytes) {
        isFull = true
        const most = `${limits.maxLogLines} lines or ${limits.maxLogBytes} bytes`
        return pass('SYSTEM', 'WARN', `The app logged more than ${most}; the rest is left out.`)
      }
      pass(source, type, cut(mask(message), limits.maxLogMessageLength))
    },
  }
}

function cut(text: string, most: number): string {
  const isLong = text.length > most
  return toStorableText(isLong ? `${text.slice(0, most)} ... (cut)` : text)
}
