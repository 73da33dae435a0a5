import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

const ONE_MIB = 1024 * 1024

/** The length of a part's name, which contains the key of a setting. */
const MAX_NAME_BYTES = 1000

const LIMITS = {
  fieldNameSize: MAX_NAME_BYTES,
  fieldSize: ONE_MIB,
  fields: 100,
  files: 20,
  parts: 120,
  headerPairs: 20,
  // the code that stores a file limits its size
  fileSize: Number.POSITIVE_INFINITY,
}

/** Lets the routes of this scope accept `multipart/form-data` besides JSON. */
export async function installFormBody(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: LIMITS, throwFileSizeLimit: false })
}

export interface FormFile {
  readonly name: string
  readonly fileName: string
  readonly contentType: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface FormText {
  readonly name: string
  readonly text: string
}

/** Yields the parts as they arrive. A file must be read before the next part. */
export async function* readForm(request: FastifyRequest): AsyncIterable<FormFile | FormText> {
  const parts = request.parts()
  try {
    for (;;) {
      const { done, value } = await parts.next().catch(refuse)
      if (done) return
      if (value.type === 'file') yield toFile(value)
      else yield { name: value.fieldname, text: toText(value) }
    }
  } finally {
    request.raw.unpipe()
    request.raw.resume() // a refused client may still be sending, and reads the response only after that
  }
}

const toFile = (part: Extract<Multipart, { type: 'file' }>): FormFile => ({
  name: part.fieldname,
  fileName: part.filename ?? '',
  contentType: part.mimetype,
  bytes: readFile(part.file),
})

async function* readFile(file: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    refuse(error as FastifyError)
  }
}

/** Restores the text of a JSON part, which the parser has parsed already. */
function toText({ value, valueTruncated }: Extract<Multipart, { type: 'field' }>): string {
  if (valueTruncated) {
    throw new ApiError('request_too_large', 'A text in the form is larger than 1 MiB.')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function refuse({ statusCode, message }: FastifyError): never {
  if (statusCode === 413) {
    throw new ApiError('request_too_large', `The form has too many parts: ${message}.`)
  }
  throw new ApiError('parse_error', `Multipart parse error - ${message}`)
}
