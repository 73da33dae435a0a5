import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict, TooLarge } from '#server/http/openapi-document.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { PipelineConfigParams } from '../configs/schema.ts'
import { listAttachments, putAttachment, removeAttachment } from './attachments.ts'
import { parseFileName, toContentType, toFileName } from './file-names.ts'
import { Attachment, AttachmentParams, AttachmentQuery } from './schema.ts'
import { fileTooLarge, MAX_ATTACHMENT_BYTES } from './upload.ts'

const tags = ['Import apps']

/** The files of one config. */
export const attachmentRoutes: FastifyPluginAsyncTypebox<{ db: Db; secrets: Secrets }> = async (
  app,
  { db, secrets },
) => {
  // a file is not looked into, whatever type it says it is
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.get('/:id/attachments', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigAttachments',
      summary: 'List the files that are attached',
      tags,
      params: PipelineConfigParams,
      response: { 200: Type.Array(Attachment) },
    },
    handler: (request) =>
      listAttachments(db, request.caller.projectId, requireId(request.params.id)),
  })

  app.put('/:id/attachments/:key', {
    config: { scope: 'plugin:write', allowsSlowBody: true },
    schema: {
      operationId: 'putPipelineConfigAttachment',
      summary: 'Attach a file, or replace it',
      description: 'The body is the file, of any type and at most 2 GiB.',
      tags,
      params: AttachmentParams,
      querystring: AttachmentQuery,
      nonJsonBody: { '*/*': { schema: Type.String({ format: 'binary' }) } },
      response: { 200: Attachment, 409: Conflict, 413: TooLarge },
    },
    handler: (request) => {
      const { id, key } = request.params
      const file = { key, ...namesOf(request, key, request.query.filename) }
      return putAttachment(db, secrets, request.caller, requireId(id), file, bytesOf(request))
    },
  })

  app.delete('/:id/attachments/:key', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'removePipelineConfigAttachment',
      summary: 'Remove a file',
      tags,
      params: AttachmentParams,
      response: { 204: Type.Null({ description: 'It is gone.' }) },
    },
    handler: async (request, reply) => {
      const { id, key } = request.params
      await removeAttachment(db, request.caller, requireId(id), key)
      return sendEmpty(reply, 204)
    },
  })
}

function namesOf({ headers }: FastifyRequest, key: string, asked: string | undefined) {
  const given = asked ?? parseFileName(headers['content-disposition']) ?? ''
  return {
    fileName: toFileName('filename', given) ?? key,
    contentType: toContentType(headers['content-type']),
  }
}

/** An empty body has been taken for `{}`. */
function bytesOf({ body, headers }: FastifyRequest): AsyncIterable<Uint8Array> {
  if (Number(headers['content-length']) > MAX_ATTACHMENT_BYTES) throw fileTooLarge()
  return body instanceof Readable ? body : Readable.from([])
}
