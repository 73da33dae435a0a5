import type { App, FetchResponse } from '../shared/app.ts'
import { parseJson } from '../shared/json.ts'
import { isRecord } from '../shared/paths.ts'
import { describeResponse, requestAndRead, toShown } from '../shared/requests.ts'
import type { Stream } from './streams.ts'

export interface Site {
  readonly url: string
  readonly site: string
  readonly key: string
}

/** Days of the site's own time zone. Both belong to the range. */
export interface Range {
  readonly from: string
  readonly to: string
}

export interface DailyRow {
  readonly day: string
  /** The value of the stream's dimension, or empty. */
  readonly value: string
  readonly metrics: readonly unknown[]
}

const PAGE = 1000

/** Yields the pages of a query in a fixed order, or a page would repeat rows of another. */
export async function* queryDays(
  app: App,
  { url, site, key }: Site,
  { metrics, by }: Stream,
  { from, to }: Range,
): AsyncGenerator<readonly DailyRow[]> {
  const dimensions = ['time:day', ...(by ? [by.dimension] : [])]
  const target = `${url.replace(/\/+$/, '')}/api/v2/query`
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  for (let offset = 0; ; offset += PAGE) {
    const body = JSON.stringify({
      site_id: site,
      metrics,
      dimensions,
      date_range: [from, to],
      order_by: dimensions.map((dimension) => [dimension, 'asc']),
      pagination: { limit: PAGE, offset },
    })
    // a redirect could take the key elsewhere
    const options = { method: 'POST', headers, body, redirect: 'manual' }
    const rows = await requestAndRead(app, target, options, (response) => read(target, response))
    yield rows
    if (rows.length < PAGE) return
  }
}

async function read(url: string, response: FetchResponse): Promise<DailyRow[]> {
  const text = await response.text()
  if (!response.ok) throw new Error(describeResponse(url, response, text))
  const body = parseJson(text)
  const results = isRecord(body) ? body.results : undefined
  if (!Array.isArray(results)) throw new Error(`${url} returned no results: ${toShown(text)}`)
  return results.filter(isRecord).map(({ dimensions, metrics }) => {
    const [day, value] = Array.isArray(dimensions) ? dimensions : []
    return {
      day: String(day ?? ''),
      value: String(value ?? ''),
      metrics: Array.isArray(metrics) ? metrics : [],
    }
  })
}
