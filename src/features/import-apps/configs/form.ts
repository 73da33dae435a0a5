import type { FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { type FormFile, type FormText, readForm } from '#server/http/form-body.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { toContentType, toFileName } from '../attachments/file-names.ts'
import { type AttachmentRow, deleteDetached } from '../attachments/store.ts'
import { storeUpload } from '../attachments/upload.ts'
import { parseSettings, type Settings } from '../setting-rules.ts'
import type { FormContent } from './plan-patch.ts'
import type { ConfigDeps } from './store.ts'

export interface ConfigForm extends FormContent {
  /** The fields as in a JSON body. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Stores files as they arrive, and deletes them again if the form is refused. */
export async function readConfigForm(
  deps: ConfigDeps,
  request: FastifyRequest,
): Promise<ConfigForm> {
  const { db } = deps
  const fields = new Map<string, unknown>()
  const uploads = new Map<string, AttachmentRow>()
  const removals: string[] = []
  let settings: Settings | undefined
  try {
    for await (const part of readForm(request)) {
      const [, verb, key = ''] = /^(add|remove)_attachment\[(.*)\]$/s.exec(part.name) ?? []
      requireStorable({ [part.name]: 'text' in part ? part.text : part.fileName })
      if ('bytes' in part) {
        const upload = await storePart(deps, request, part, verb === 'add' ? key : undefined)
        if (upload) await replaceUpload(db, uploads, upload)
      } else if (verb === 'add') requireEmpty(key, part)
      else if (verb === 'remove') removals.push(key)
      else if (part.name === 'config') settings = parseSettings(part.text)
      else fields.set(part.name, toValue(part))
    }
  } catch (error) {
    await discardForm(db, { uploads: [...uploads.values()] })
    throw error
  }
  return { fields: Object.fromEntries(fields), uploads: [...uploads.values()], removals, settings }
}

/** Keeps the last of several files with the same name, like other fields. */
async function replaceUpload(
  db: Db,
  uploads: Map<string, AttachmentRow>,
  upload: AttachmentRow,
): Promise<void> {
  const earlier = uploads.get(upload.key)
  uploads.set(upload.key, upload)
  if (earlier) await deleteDetached(db, [earlier.id])
}

/** Deletes the uploads that no config has taken over. */
export const discardForm = (db: Db, { uploads }: Pick<FormContent, 'uploads'>): Promise<void> =>
  deleteDetached(
    db,
    uploads.map(({ id }) => id),
  )

function requireEmpty(key: string, { text }: FormText): void {
  if (text !== '') throw invalid(key, 'A file was expected.')
}

/** Ignores an empty file without a name, which browsers send if none was chosen. */
async function storePart(
  { db, secrets }: ConfigDeps,
  request: FastifyRequest,
  { fileName, contentType, bytes }: FormFile,
  key: string | undefined,
): Promise<AttachmentRow | undefined> {
  if (key === undefined) return skip(bytes)
  const file = {
    key,
    fileName: toFileName(key, fileName) ?? key,
    contentType: toContentType(contentType),
  }
  const { projectId } = request.caller
  const upload = await storeUpload({ db, secrets }, { projectId, file, bytes })
  if (fileName !== '' || upload.size > 0) return upload
  await deleteDetached(db, [upload.id])
  return undefined
}

/** Reads a part to its end, as the parser requires. */
async function skip(bytes: AsyncIterable<Uint8Array>): Promise<undefined> {
  for await (const _ of bytes);
}

const TRUE = ['true', 't', 'yes', 'y', 'on', '1']
const FALSE = ['false', 'f', 'no', 'n', 'off', '0']

/** Converts a form's text. A text that cannot be converted stays, and validation refuses it as in a JSON body. */
function toValue({ name, text: raw }: FormText): unknown {
  const text = raw.trim()
  if (name === 'plugin' || name === 'order')
    return /^-?\d+(\.0+)?$/.test(text) ? Number(text) : text
  if (name !== 'enabled' && name !== 'deleted') return text
  const word = text.toLowerCase()
  return TRUE.includes(word) || (FALSE.includes(word) ? false : text)
}
