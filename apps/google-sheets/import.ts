import { importFile } from '../csv/import.ts'
import type { CsvRow } from '../csv/reader.ts'
import { openUrl, type Source } from '../csv/source.ts'
import type { App } from '../shared/app.ts'
import { textSetting } from '../shared/settings.ts'
import { toCsvUrl } from './link.ts'
import { openPrivateSheet } from './private.ts'
import { readAccount } from './token.ts'

/** Reads the whole sheet. Rows that are already stored are not stored again, wherever they have moved. */
export async function importSheet(app: App): Promise<void> {
  const link = textSetting(app.meta, 'url')
  const account = readAccount(app.meta.config.key)
  const source = account
    ? await openPrivateSheet(app, link, account)
    : await openPublishedSheet(app, link)
  await importFile(app, source, (columns) =>
    createIdentify(columns, textSetting(app.meta, 'id_column')),
  )
}

async function openPublishedSheet(app: App, link: string): Promise<Source> {
  const url = toCsvUrl(link)
  const source = await openUrl(app, url, undefined)
  if (source && !source.type?.includes('html')) return source
  throw new Error(
    `${url.split('?')[0]} is a page, not a table. Publish the sheet, share it by its link, or enter a "Service account key".`,
  )
}

/** Identifies rows by their ID or content: a line would change when someone sorts the sheet. */
function createIdentify(columns: readonly { readonly name: string }[], idColumn: string) {
  const id = columns.findIndex(({ name }) => name === idColumn)
  if (idColumn !== '' && id < 0) throw new Error(`The sheet has no column "${idColumn}".`)
  const counts = new Map<string, number>()
  return ({ fields }: CsvRow): string => {
    if (id >= 0 && fields[id]) return JSON.stringify({ id: fields[id] })
    const content = fields.join('\u001f')
    const count = (counts.get(content) ?? 0) + 1
    counts.set(content, count)
    return `${count}\n${content}`
  }
}
