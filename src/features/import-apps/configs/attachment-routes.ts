import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readWhileAllowed } from '#server/access/while-allowed.ts'
import { requireId } from '#server/http/ids.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict, TooLarge } from '#server/http/openapi-document.ts'
import { parseFileName, toContentType, toFileName } from '../attachments/file-names.ts'
import { Attachment, AttachmentQuery } from '../attachments/schema.ts'
import type { NewAttachment } from '../attachments/store.ts'
import { fileTooLarge, MAX_ATTACHMENT_BYTES } from '../attachments/upload.ts'
import { listAttachments, putAttachment, removeAttachment } from './attachments.ts'
import { PipelineConfigParams } from './schema.ts'
import type { ConfigDeps } from './store.ts'

const tags = ['Import apps']

const AttachmentParams = Type.Object({
  ...PipelineConfigParams.properties,
  key: Type.String({ description: 'The key of a setting of type `attachment`.' }),
})

/** Mounted at the same prefix as the routes of configs: the files of one config. */
export const attachmentRoutes: FastifyPluginAsyncTypebox<ConfigDeps> = async (app, deps) => {
  // files of any content type are not parsed
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.get('/:id/attachments', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigAttachments',
      summary: 'List attached files',
      tags,
      params: PipelineConfigParams,
      response: { 200: Type.Array(Attachment) },
    },
    handler: (request) =>
      listAttachments(deps.db, request.caller.projectId, requireId(request.params.id)),
  })

  app.put('/:id/attachments/:key', {
    config: { scope: 'plugin:write', allowsSlowBody: true },
    schema: {
      operationId: 'uploadPipelineConfigAttachment',
      summary: 'Attach or replace a file',
      description: 'The body is the file. It may have any content type and at most 2 GiB.',
      tags,
      params: AttachmentParams,
      querystring: AttachmentQuery,
      nonJsonBody: { '*/*': { schema: Type.String({ format: 'binary' }) } },
      response: { 200: Attachment, 409: Conflict, 413: TooLarge },
    },
    handler: (request) => {
      const { id, key } = request.params
      const file = toNewAttachment(request, key, request.query.filename)
      return putAttachment(deps, request.caller, {
        configId: requireId(id),
        file,
        bytes: readWhileAllowed(request, readBody(request)),
      })
    },
  })

  app.delete('/:id/attachments/:key', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'deletePipelineConfigAttachment',
      summary: 'Remove a file',
      tags,
      params: AttachmentParams,
      response: { 204: Type.Null({ description: 'The file is deleted.' }) },
    },
    handler: async (request, reply) => {
      const { id, key } = request.params
      await removeAttachment(deps, request.caller, requireId(id), key)
      return sendEmpty(reply, 204)
    },
  })
}

function toNewAttachment(
  { headers }: FastifyRequest,
  key: string,
  queried: string | undefined,
): NewAttachment {
  const name = queried ?? parseFileName(headers['content-disposition']) ?? ''
  return {
    key,
    fileName: toFileName('filename', name) ?? key,
    contentType: toContentType(headers['content-type']),
  }
}

/** Returns no bytes if the body is not a stream: Fastify parses an empty body as `{}`. */
function readBody({ body, headers }: FastifyRequest): AsyncIterable<Uint8Array> {
  if (Number(headers['content-length']) > MAX_ATTACHMENT_BYTES) throw fileTooLarge()
  return body instanceof Readable ? body : Readable.from([])
}
