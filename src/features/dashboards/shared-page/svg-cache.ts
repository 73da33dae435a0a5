import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Chart } from '#model/chart.ts'
import { createLimit, waitAtMost } from '#server/concurrency.ts'
import type { Pictures } from '#server/pictures/contract.ts'

/** What is drawn, and which answer it was drawn from. */
export interface SvgRequest {
  readonly chart: Chart
  /** Changes with the answer. */
  readonly version: string
  readonly width: number
  readonly height: number
}

/** `failed`: it is tried again a little later. */
export type RenderedSvg = { readonly svg: string } | 'failed'

export interface SvgCache {
  /** As many as are drawn within a moment; the others are drawn meanwhile, and undefined. */
  find(wanted: readonly SvgRequest[]): Promise<(RenderedSvg | undefined)[]>
}

const MOST_BYTES = 32 * 1024 * 1024
/** A page with half of its charts is better than none after this. */
const PATIENCE_MS = 2000
const TRY_AGAIN_MS = 30_000
/** Of all pages together: exports wait for the same process. */
const DRAWN_AT_ONCE = 2
const MOST_PENDING = 400

export function createSvgCache(pictures: Pictures): SvgCache {
  const drawn = new LRUCache<string, Exclude<RenderedSvg, undefined>>({
    maxSize: MOST_BYTES,
    sizeCalculation: (drawing) => (drawing === 'failed' ? 1 : drawing.svg.length + 1),
  })
  const pending = new Map<string, Promise<void>>()
  const limit = createLimit(DRAWN_AT_ONCE)

  async function draw(key: string, { chart, width, height }: SvgRequest): Promise<void> {
    try {
      const look = { width, height, idPrefix: `d${key.slice(0, 10)}-` }
      drawn.set(key, { svg: await limit(() => pictures.inlineSvg(chart, look)) })
    } catch {
      drawn.set(key, 'failed', { ttl: TRY_AGAIN_MS }) // the drawing process has told the log why
    } finally {
      pending.delete(key)
    }
  }

  function start(key: string, wanted: SvgRequest): Promise<void> | undefined {
    if (drawn.has(key) || pending.size >= MOST_PENDING) return pending.get(key)
    const drawing = pending.get(key) ?? draw(key, wanted)
    pending.set(key, drawing)
    return drawing
  }

  return {
    async find(wanted) {
      const keys = wanted.map(toSvgKey)
      const started = keys.map((key, at) => start(key, wanted[at] as SvgRequest))
      if (started.some(Boolean)) await waitAtMost(Promise.all(started), PATIENCE_MS)
      return keys.map((key) => drawn.get(key))
    },
  }
}

/** Two insights with one question may have other names, and show its answer in other ways. */
const toSvgKey = ({ chart: { title, query }, version, width, height }: SvgRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([version, title, query, width, height]))
    .digest('hex')
