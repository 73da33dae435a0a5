import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Sampler } from './settings.ts'
import { parseTraceparent, type SpanContext } from './traceparent.ts'

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Numbers of the protocol. */
export const SPAN_KINDS = { internal: 1, server: 2, consumer: 5 } as const

export interface FinishedSpan {
  readonly context: SpanContext
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: keyof typeof SPAN_KINDS
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  /** undefined unless the work failed. */
  readonly problem: string | undefined
}

/** A span that has not ended. */
export interface Span {
  readonly context: SpanContext
  /** Adds attributes. */
  set(attributes: Attributes): void
  /** Ends the span, with the problem if the work failed. */
  end(problem?: string): void
}

export interface SpanOptions {
  readonly kind?: FinishedSpan['kind']
  readonly attributes?: Attributes
  /** The span of the client. Without it, the span that is running is the parent; null starts a trace. */
  readonly parent?: SpanContext | null | undefined
}

export interface Tracer {
  /** Reads the span of a client from its W3C header. */
  parentOf(traceparent: string | string[] | undefined): SpanContext | undefined
  /** Starts a span, or returns undefined if traces are off or this one is not sampled. */
  start(name: string, options?: SpanOptions): Span | undefined
  /** Runs work, and what it calls, within the span. */
  within<T>(span: Span | undefined, work: () => T): T
  /** Runs work in a span of its own. */
  run<T>(
    name: string,
    options: SpanOptions,
    work: (span: Span | undefined) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

export interface TracerOptions {
  readonly sampler: Sampler
  readonly acceptsParents: boolean
  readonly export: (span: FinishedSpan) => void
  readonly close: () => Promise<void>
}

export function createTracer({
  sampler,
  acceptsParents,
  export: send,
  close,
}: TracerOptions): Tracer {
  const current = new AsyncLocalStorage<SpanContext>()

  function start(name: string, { kind = 'internal', attributes = {}, parent }: SpanOptions = {}) {
    const above = parent === null ? undefined : (parent ?? current.getStore())
    const context = toContext(above, parent === undefined && above !== undefined, sampler)
    return context.isSampled
      ? createSpan({ context, parentId: above?.spanId, name, kind, attributes }, send)
      : undefined
  }

  const within = <T>(span: Span | undefined, work: () => T): T =>
    current.run(span?.context ?? NOT_SAMPLED, work)

  return {
    parentOf: (traceparent) => (acceptsParents ? parseTraceparent(traceparent) : undefined),
    start,
    within,
    async run(name, options, work) {
      const span = start(name, options)
      try {
        const result = await within(span, () => work(span))
        span?.end()
        return result
      } catch (error) {
        span?.end(toProblem(error))
        throw error
      }
    },
    close,
  }
}

/** Only the kind of the problem: messages may contain what users have written. */
function toProblem(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string }
  return typeof code === 'string' ? code : (name ?? 'Error')
}

/** Keeps spans below one that is not sampled from being sampled. */
const NOT_SAMPLED: SpanContext = {
  traceId: '0'.repeat(32),
  spanId: '0'.repeat(16),
  isSampled: false,
}

/** A span below one of this process shares its decision. */
function toContext(
  above: SpanContext | undefined,
  isOwn: boolean,
  { isParentBased, ratio }: Sampler,
): SpanContext {
  const traceId = above?.traceId ?? randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  const follows = above !== undefined && (isOwn || isParentBased)
  return { traceId, spanId, isSampled: follows ? above.isSampled : isChosen(traceId, ratio) }
}

/** Every process that sees the trace decides the same. */
const isChosen = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(19), 16) < ratio * 2 ** 52

type Start = Pick<FinishedSpan, 'context' | 'parentId' | 'name' | 'kind' | 'attributes'>

function createSpan(begun: Start, send: (span: FinishedSpan) => void): Span {
  const startedAt = performance.timeOrigin + performance.now()
  let attributes = begun.attributes
  let isEnded = false
  return {
    context: begun.context,
    set(more) {
      attributes = { ...attributes, ...more }
    },
    end(problem) {
      if (isEnded) return
      isEnded = true
      const endedAt = performance.timeOrigin + performance.now()
      send({ ...begun, attributes, startedAt, endedAt, problem })
    },
  }
}

/** Does the work and traces nothing. */
export const NO_TRACER: Tracer = {
  parentOf: () => undefined,
  start: () => undefined,
  within: (_span, work) => work(),
  run: (_name, _options, work) => work(undefined),
  close: async () => {},
}
