import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Chart } from '#model/chart.ts'
import { createLimit, waitAtMost } from '#server/concurrency.ts'
import type { Pictures } from '#server/pictures/contract.ts'

/** A chart to draw, and its size. */
export interface SvgRequest {
  readonly chart: Chart
  /** Names the result that the chart shows. */
  readonly version: string
  readonly width: number
  readonly height: number
}

/** A failed chart is tried again after `RETRY_MS`. */
export type RenderedSvg = { readonly svg: string } | 'failed'

export interface SvgCache {
  /** Waits up to `MAX_WAIT_MS`. Charts not drawn by then are undefined and are drawn in the background. */
  find(requests: readonly SvgRequest[]): Promise<(RenderedSvg | undefined)[]>
}

const MAX_BYTES = 32 * 1024 * 1024
/** A page with half of its charts is better than no page. */
const MAX_WAIT_MS = 2000
const RETRY_MS = 30_000
/** For all pages together: exports wait for the same process. */
const MAX_CONCURRENT = 2
const MAX_PENDING = 400

export function createSvgCache(pictures: Pictures): SvgCache {
  const drawn = new LRUCache<string, RenderedSvg>({
    maxSize: MAX_BYTES,
    sizeCalculation: (rendered) => (rendered === 'failed' ? 1 : rendered.svg.length + 1),
  })
  const pending = new Map<string, Promise<void>>()
  const limit = createLimit(MAX_CONCURRENT)

  async function draw(key: string, { chart, width, height }: SvgRequest): Promise<void> {
    try {
      const options = { width, height, idPrefix: `d${key.slice(0, 10)}-` }
      drawn.set(key, { svg: await limit(() => pictures.inlineSvg(chart, options)) })
    } catch {
      drawn.set(key, 'failed', { ttl: RETRY_MS }) // the drawing process logs the reason
    } finally {
      pending.delete(key)
    }
  }

  function start(key: string, request: SvgRequest): Promise<void> | undefined {
    if (drawn.has(key) || pending.size >= MAX_PENDING) return pending.get(key)
    const drawing = pending.get(key) ?? draw(key, request)
    pending.set(key, drawing)
    return drawing
  }

  return {
    async find(requests) {
      const keys = requests.map(toSvgKey)
      const started = keys.map((key, index) => start(key, requests[index] as SvgRequest))
      if (started.some(Boolean)) await waitAtMost(Promise.all(started), MAX_WAIT_MS)
      return keys.map((key) => drawn.get(key))
    },
  }
}

/** Includes title and query: two insights can share a result, but differ in name and display. */
const toSvgKey = ({ chart: { title, query, marks }, version, width, height }: SvgRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([version, title, query, marks, width, height]))
    .digest('hex')
