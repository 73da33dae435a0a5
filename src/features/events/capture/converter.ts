import { Worker } from 'node:worker_threads'
import type { PackedEvents } from '#server/analytics/event-batch.ts'
import { createBudget } from '#server/concurrency.ts'
import { ApiError } from '#server/errors.ts'
import { MAX_BODY } from './body.ts'
import type { ConversionTask } from './convert.ts'
import type { Conclusion } from './convert-event.ts'
import type { ThreadError, ThreadRequest, ThreadResponse } from './converter-thread.ts'
import type { ProjectRules } from './project-tokens.ts'

/** The thread takes 15 MB, so an idle server stops it. */
const IDLE_MS = 10_000
/** Enough for one event at a time; the body is not part of the heap. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/** Bounds the memory of large bodies and their events: one of the largest at a time, or many smaller ones. */
export const withinMemory = createBudget(MAX_BODY)

export interface Converted extends Conclusion {
  readonly events: readonly PackedEvents[]
}

export interface Converter {
  /**
   * Converts a body in another thread; undefined if it is larger than allowed. Takes over the memory of the bytes.
   * `checkToken` returns the rules of the project, or throws.
   */
  convert(
    task: ConversionTask,
    checkToken: (token: unknown) => Promise<ProjectRules>,
  ): Promise<Converted | undefined>
  close(): Promise<void>
}

/**
 * Keeps the event loop free of bodies that take long to unpack, parse or convert. `geoipFile` is the table of places,
 * which the thread reads for itself.
 */
export function createConverter(geoipFile: string | undefined): Converter {
  const waiting = new Map<number, PromiseWithResolvers<ThreadResponse>>()
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let lastId = 0
  let active = 0

  function start(): Worker {
    const thread = new Worker(new URL('./converter-thread.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: HEAP,
      workerData: geoipFile,
    })
    thread.unref()
    thread.on('message', (response: ThreadResponse) => {
      take(response.id)?.resolve(response)
    })
    thread.on('error', rejectAll)
    return thread
  }

  /** Rejects what waits before the thread has ended, because a request may start the next one meanwhile. */
  async function stop(): Promise<void> {
    clearTimeout(timer)
    const thread = worker
    rejectAll(new Error('The server is stopping.'))
    await thread?.terminate()
  }

  function rejectAll(error: unknown): void {
    worker = undefined
    for (const id of waiting.keys()) take(id)?.reject(error)
  }

  function take(id: number): PromiseWithResolvers<ThreadResponse> | undefined {
    const response = waiting.get(id)
    waiting.delete(id)
    return response
  }

  function ask(request: ThreadRequest): Promise<ThreadResponse> {
    clearTimeout(timer)
    worker ??= start()
    const response = Promise.withResolvers<ThreadResponse>()
    waiting.set(request.id, response)
    worker.postMessage(request, request.task ? [request.task.body.buffer] : [])
    return response.promise
  }

  async function convert(
    task: ConversionTask,
    checkToken: (token: unknown) => Promise<ProjectRules>,
  ) {
    const id = ++lastId
    const events: PackedEvents[] = []
    for (let request: ThreadRequest = { id, task }; ; ) {
      const { step, conclusion, error } = await ask(request)
      if (error) throw toApiError(error)
      if (!step) return conclusion && { events, ...toConclusion(conclusion) }
      if (step.events) events.push(step.events)
      request = step.events
        ? { id }
        : { id, rules: await checkOrCancel(id, checkToken(step.token)) }
    }
  }

  /** Lets the thread forget a body that is refused. */
  async function checkOrCancel(id: number, rules: Promise<ProjectRules>): Promise<ProjectRules> {
    try {
      return await rules
    } catch (error) {
      await ask({ id, isCanceled: true })
      throw error
    }
  }

  return {
    async convert(task, checkToken) {
      active++
      try {
        return await convert(task, checkToken)
      } finally {
        active--
        if (active === 0) timer = setTimeout(() => void stop(), IDLE_MS).unref()
      }
    },
    close: stop,
  }
}

const toConclusion = ({
  problem,
  outcomes,
}: NonNullable<ThreadResponse['conclusion']>): Conclusion => ({
  problem: problem && toApiError(problem),
  outcomes,
})

const toApiError = ({ code, detail, attr }: ThreadError): ApiError =>
  new ApiError(code, detail, attr)
