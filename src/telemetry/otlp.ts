import type { TracingSettings } from './settings.ts'
import { type FinishedSpan, SPAN_KINDS } from './tracer.ts'

export interface Exporter {
  add(span: FinishedSpan): void
  /** Sends what is left. */
  close(): Promise<void>
}

const JSON_TYPE = { 'content-type': 'application/json' }
const RETRYABLE = [429, 502, 503, 504]
const STATUS_ERROR = 2

type ExporterSettings = Pick<
  TracingSettings,
  'url' | 'headers' | 'timeoutMs' | 'delayMs' | 'maxQueue' | 'maxBatch' | 'resource'
>

/** Sends spans in batches, as JSON of OTLP over HTTP. Spans are dropped rather than kept without limit. */
export function createExporter(
  settings: ExporterSettings,
  version: string,
  warn: (message: string) => void,
): Exporter {
  let queue: FinishedSpan[] = []
  let sending: Promise<void> = Promise.resolve()
  let hasWarned = false
  const timer = setInterval(() => flush(), settings.delayMs).unref()

  function flush(): Promise<void> {
    sending = sending.then(sendAll)
    return sending
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, settings.maxBatch)
      queue = queue.slice(batch.length)
      const outcome = await send(settings, toBody(batch, settings.resource, version))
      if (outcome === undefined) {
        hasWarned = false
        continue
      }
      if (!hasWarned) warn(`Traces could not be sent to ${settings.url}: ${outcome.problem}`)
      hasWarned = true
      if (outcome.isRetryable) queue = [...batch, ...queue].slice(0, settings.maxQueue)
      return // the next tick tries again
    }
  }

  return {
    add(span) {
      if (queue.length >= settings.maxQueue) return
      queue.push(span)
      if (queue.length === settings.maxBatch) void flush()
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

interface Failure {
  readonly problem: string
  readonly isRetryable: boolean
}

async function send(
  { url, headers, timeoutMs }: ExporterSettings,
  body: string,
): Promise<Failure | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const options = { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body, signal }
    const response = await fetch(url, options)
    await response.body?.cancel()
    if (response.ok) return undefined
    return {
      problem: `status ${response.status}`,
      isRetryable: RETRYABLE.includes(response.status),
    }
  } catch (error) {
    const { message, cause } = error as Error
    return { problem: cause instanceof Error ? cause.message : message, isRetryable: true }
  }
}

const toBody = (
  spans: readonly FinishedSpan[],
  resource: Readonly<Record<string, string>>,
  version: string,
): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes({ 'service.version': version, ...resource }) },
        scopeSpans: [{ scope: { name: 'hedgerow', version }, spans: spans.map(toSpan) }],
      },
    ],
  })

const toSpan = (span: FinishedSpan): object => ({
  traceId: span.context.traceId,
  spanId: span.context.spanId,
  ...(span.parentId && { parentSpanId: span.parentId }),
  name: span.name,
  kind: SPAN_KINDS[span.kind],
  startTimeUnixNano: toNanoseconds(span.startedAt),
  endTimeUnixNano: toNanoseconds(span.endedAt),
  attributes: toAttributes(span.attributes),
  status: span.problem === undefined ? {} : { code: STATUS_ERROR, message: span.problem },
})

/** Returns text, because JavaScript's numbers are too small for nanoseconds. */
const toNanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`

const toAttributes = (attributes: FinishedSpan['attributes']): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }))

function toValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
