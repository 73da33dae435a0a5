import { BusyError, notFound } from '#server/errors.ts'
import { DASHBOARD_FORMATS, type DashboardFormat } from '../exports/dashboard-file.ts'
import type { PictureQuery } from '../exports/schema.ts'
import type { ExportedFile } from '../exports/send-file.ts'
import type { OpenPage } from '../links/open-link.ts'
import type { ViewerChoices } from '../links/viewer-choices.ts'

export interface SharedFile {
  readonly format: DashboardFormat
  readonly picture: PictureQuery
  readonly choices: ViewerChoices
}

export type ExportFile = (open: OpenPage, file: SharedFile) => Promise<ExportedFile>

/** For all visitors together, because images are drawn one at a time in a process shared with members. */
const MAX_CONCURRENT = 8

const TOKEN_FILE = /^([\w-]{20,100})\.([a-z]+)$/

/** Parses `<token>.<format>`. A file that cannot exist is not found, as that of an unknown link. */
export function parseSharedFile(file: string) {
  const [, token, extension] = TOKEN_FILE.exec(file) ?? []
  const format = DASHBOARD_FORMATS.find((each) => each === extension)
  if (!token || !format) throw notFound()
  return { token, format }
}

/** Limits exports of shared dashboards, and exports a file once for concurrent requests. */
export function createSharedExports(exportFile: ExportFile): ExportFile {
  const pending = new Map<string, Promise<ExportedFile>>()

  return (open, file) => {
    const { shown, link } = open
    const { format, picture, choices } = file
    const { scheme, width, height } = picture
    const { dates, ...narrowed } = choices.overrides ?? {}
    const days = [dates?.date_from, dates?.date_to]
    const place = [shown.noun, shown.id, shown.version, link.shows_annotations]
    const seen = [...place, ...choices.chosen, narrowed, ...days]
    const key = JSON.stringify([seen, format, scheme, width, height])
    const current = pending.get(key)
    if (current) return current
    if (pending.size >= MAX_CONCURRENT) {
      throw new BusyError('Too many shared dashboards are being exported. Try again later.')
    }
    const started = exportFile(open, file).finally(() => pending.delete(key))
    pending.set(key, started)
    return started
  }
}
