import type { FastifyRequest } from 'fastify'
import { readWhileAllowed } from '#server/access/while-allowed.ts'
import { ApiError, invalid } from '#server/errors.ts'
import { type FormText, readForm } from '#server/http/form-body.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { parseMembers } from './csv.ts'

const MAX_CSV_BYTES = 16 * 1024 * 1024

/** Reads a form as the JSON body that it stands for. */
export async function readCohortForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown>()
  let members: object = {}
  for await (const part of readForm(request)) {
    if ('text' in part) fields.set(part.name, toValue(part))
    else if (part.name === 'csv') {
      members = parseMembers(await readText(readWhileAllowed(request, part.bytes)))
    } else throw invalid(part.name, 'Only `csv` can be a file.')
  }
  const body = { ...Object.fromEntries(fields), ...members }
  requireStorable(body)
  return body
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_CSV_BYTES)
      throw new ApiError('request_too_large', 'The file is larger than 16 MiB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, True: true, '1': true, false: false }

/** Forms hold only text. Texts that are not booleans stay, and validation refuses them. */
const toValue = ({ name, text }: FormText): unknown =>
  name === 'is_static' || name === 'deleted' ? (FLAGS[text] ?? text) : text
