import type { Source } from '../csv/source.ts'
import type { App } from '../shared/app.ts'
import { parseJson } from '../shared/json.ts'
import { isRecord, valueAt } from '../shared/paths.ts'
import { describeResponse, requestAndRead } from '../shared/requests.ts'
import { toCsvUrl, toSheet } from './link.ts'
import { requestToken, type ServiceAccount } from './token.ts'

const API = 'https://sheets.googleapis.com/v4/spreadsheets'
/** Rows of one request, because a response is held in memory. */
const ROWS = 5000

interface Tab {
  readonly title: string
  readonly rows: number
}

/** Opens a sheet that is shared with a service account, as the CSV that it would be if it were published. */
export async function openPrivateSheet(
  app: App,
  link: string,
  account: ServiceAccount,
): Promise<Source> {
  const { id, gid } = toSheet(link)
  const token = await requestToken(app, account)
  const get = (path: string) => getJson(app, `${API}/${id}${path}`, token, account)
  const tab = findTab(await get(`?fields=${FIELDS}`), gid)
  return {
    // the same as without a key, or the rows would be imported again
    identity: `address ${toCsvUrl(link)}`,
    size: null,
    bytes: readTab(get, tab),
    version: () => undefined,
  }
}

const FIELDS = 'sheets.properties(sheetId,title,gridProperties.rowCount)'

/** Finds a tab by its ID, which stays when it is renamed. A link without one is that of the first tab. */
function findTab(spreadsheet: unknown, gid: string | undefined): Tab {
  const sheets = valueAt(spreadsheet, 'sheets')
  const tabs = (Array.isArray(sheets) ? sheets : []).map((sheet) => ({
    gid: String(valueAt(sheet, 'properties.sheetId') ?? ''),
    title: String(valueAt(sheet, 'properties.title') ?? ''),
    rows: Number(valueAt(sheet, 'properties.gridProperties.rowCount') ?? 0),
  }))
  const found = gid === undefined ? tabs[0] : tabs.find((tab) => tab.gid === gid)
  if (found) return found
  const titles = tabs.map(({ title }) => title).join(', ')
  throw new Error(
    `The tab of the "Link" was deleted. Open one of these and copy its link: ${titles}.`,
  )
}

async function* readTab(
  get: (path: string) => Promise<unknown>,
  { title, rows }: Tab,
): AsyncGenerator<Uint8Array> {
  const name = `'${title.replaceAll("'", "''")}'`
  let width = 0
  for (let from = 1; from <= rows; from += ROWS) {
    const range = encodeURIComponent(`${name}!${from}:${Math.min(from + ROWS - 1, rows)}`)
    const page = await get(`/values/${range}?majorDimension=ROWS`)
    const values = valueAt(page, 'values')
    const lines = Array.isArray(values) ? values.filter(Array.isArray) : []
    // empty cells at the end of a row are left out
    width ||= Math.max(0, ...lines.map(({ length }) => length))
    yield Buffer.from(lines.map((line) => toLine(line, width)).join(''))
  }
}

function toLine(cells: readonly unknown[], width: number): string {
  const padded = [...cells, ...Array(Math.max(width - cells.length, 0)).fill('')]
  return `${padded.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')}\n`
}

function getJson(
  app: App,
  url: string,
  token: string,
  { email }: ServiceAccount,
): Promise<unknown> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  return requestAndRead(app, url, { headers, redirect: 'manual' }, async (response) => {
    const text = await response.text()
    const body = parseJson(text)
    if (response.ok && isRecord(body)) return body
    const isUnused = text.includes('SERVICE_DISABLED') || text.includes('has not been used')
    const remedy = isUnused
      ? 'Enable the Google Sheets API in the project of the service account.'
      : `Share the sheet with ${email}, and check the "Link".`
    throw new Error(`${describeResponse(url, response, text)} ${remedy}`)
  })
}
