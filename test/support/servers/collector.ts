import { until } from '../until.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** A span as a collector receives it, with its attributes as an object. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Receives traces as OTLP's JSON over HTTP. */
export interface Collector extends Pick<Receiver, 'url' | 'received' | 'answer'> {
  spans(): ReceivedSpan[]
  /** The attributes of the last sender. */
  resource(): Readonly<Record<string, unknown>>
  /** Waits for a span, or for the same one several times. */
  waitForSpan(name: string, times?: number): Promise<ReceivedSpan>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const toObject = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export async function startCollector(): Promise<Collector> {
  const { url, received, answer } = await startReceiver()
  const spans = (): ReceivedSpan[] =>
    received
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans)
      .map((span) => ({ ...span, attributes: toObject(span.attributes) }))
  return {
    url,
    received,
    answer,
    spans,
    resource: () => toObject(received.at(-1)?.body.resourceSpans[0].resource.attributes ?? []),
    waitForSpan: (name, times = 1) =>
      until(() => spans().filter((span) => span.name === name)[times - 1]),
  }
}
