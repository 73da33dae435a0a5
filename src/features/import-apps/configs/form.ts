import type { FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { type FormFile, type FormText, readForm } from '#server/http/form-body.ts'
import { requireStorable } from '#server/http/json-body.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { toContentType, toFileName } from '../attachments/file-names.ts'
import { type AttachmentRow, deleteDetached } from '../attachments/store.ts'
import { storeUpload } from '../attachments/upload.ts'
import type { FormContent } from './configs.ts'
import { parseStorable, type Settings } from './setting-rules.ts'

export interface ConfigForm extends FormContent {
  /** As a JSON body would have them. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Files are stored as they arrive. If the form is refused, none of it stays. */
export async function readConfigForm(
  db: Db,
  secrets: Secrets,
  request: FastifyRequest,
): Promise<ConfigForm> {
  const fields = new Map<string, unknown>()
  const uploads = new Map<string, AttachmentRow>()
  const removals: string[] = []
  let settings: Settings | undefined
  try {
    for await (const part of readForm(request)) {
      const [, verb, key = ''] = /^(add|remove)_attachment\[(.*)\]$/s.exec(part.name) ?? []
      requireStorable({ [part.name]: 'text' in part ? part.text : part.fileName })
      if ('bytes' in part) {
        const upload = await storePart(db, secrets, request, part, verb === 'add' ? key : undefined)
        if (upload) await replace(db, uploads, upload)
      } else if (verb === 'add') requireNothing(key, part)
      else if (verb === 'remove') removals.push(key)
      else if (part.name === 'config') settings = toSettings(part)
      else fields.set(part.name, toValue(part))
    }
  } catch (error) {
    await discardForm(db, { uploads: [...uploads.values()] })
    throw error
  }
  return { fields: Object.fromEntries(fields), uploads: [...uploads.values()], removals, settings }
}

/** Of two files under one name the second counts, as with every other field. */
async function replace(
  db: Db,
  uploads: Map<string, AttachmentRow>,
  upload: AttachmentRow,
): Promise<void> {
  const earlier = uploads.get(upload.key)
  uploads.set(upload.key, upload)
  if (earlier) await deleteDetached(db, [earlier.id])
}

/** Files that became a config's are left alone. */
export const discardForm = (db: Db, { uploads }: Pick<FormContent, 'uploads'>): Promise<void> =>
  deleteDetached(
    db,
    uploads.map(({ id }) => id),
  )

function requireNothing(key: string, { text }: FormText): void {
  if (text !== '') throw invalid(key, 'A file was expected.')
}

/** A browser sends an empty file without a name where none was chosen. */
async function storePart(
  db: Db,
  secrets: Secrets,
  request: FastifyRequest,
  { fileName, contentType, bytes }: FormFile,
  key: string | undefined,
): Promise<AttachmentRow | undefined> {
  if (key === undefined) return skip(bytes)
  const names = {
    key,
    fileName: toFileName(key, fileName) ?? key,
    contentType: toContentType(contentType),
  }
  const upload = await storeUpload(db, secrets, request.caller.projectId, names, bytes)
  if (fileName !== '' || upload.size > 0) return upload
  await deleteDetached(db, [upload.id])
  return undefined
}

async function skip(bytes: AsyncIterable<Uint8Array>): Promise<undefined> {
  for await (const _ of bytes);
}

function toSettings({ text }: FormText): Settings {
  const value = parseStorable(text)
  if (value === undefined) throw invalid('config', 'Not valid JSON.')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('config', 'Expected a dictionary of settings.', 'not_a_dict')
  }
  return value as Settings
}

const TRUE = ['true', 't', 'yes', 'y', 'on', '1']
const FALSE = ['false', 'f', 'no', 'n', 'off', '0']

/** A form knows only texts. What cannot be understood stays one, and is refused like any text in a JSON body. */
function toValue({ name, text: given }: FormText): unknown {
  const text = given.trim()
  if (name === 'plugin' || name === 'order')
    return /^-?\d+(\.0+)?$/.test(text) ? Number(text) : text
  if (name !== 'enabled' && name !== 'deleted') return text
  const word = text.toLowerCase()
  return TRUE.includes(word) || (FALSE.includes(word) ? false : text)
}
