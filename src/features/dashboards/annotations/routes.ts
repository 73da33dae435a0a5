import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import { refusedDelete } from '#server/access/refused-delete.ts'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { PageQuery, pageJson, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import {
  createAnnotation,
  getAnnotation,
  getAnnotationRow,
  listAnnotations,
  patchAnnotation,
} from './annotations.ts'
import { Annotation, AnnotationParams, AnnotationQuery, AnnotationWrite } from './schema.ts'

const tags = ['Annotations']
const params = AnnotationParams

/** Mounted at /api/projects/:project_id/annotations */
export const annotationRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: {
      scope: 'annotation:read',
      viewers: true,
      unappliedFilters: ['is_emoji', 'date_from', 'date_to'],
    },
    schema: {
      operationId: 'listAnnotations',
      summary: 'List annotations, the latest moment first',
      description: "The project's own, and those for all projects.",
      tags,
      params: ProjectOnlyParams,
      querystring: AnnotationQuery,
      response: { 200: pageSchema(Annotation) },
    },
    handler: async (request, reply) => {
      const { limit: _, offset: __, ...query } = request.query
      const list = (range: PageRange) => listAnnotations(db, request.caller, query, range)
      return sendJson(reply, await pageJson(request, list))
    },
  })

  app.post('', {
    config: { scope: 'annotation:write' },
    schema: {
      operationId: 'createAnnotation',
      summary: 'Create an annotation',
      tags,
      params: ProjectOnlyParams,
      body: AnnotationWrite,
      response: { 201: Annotation },
    },
    handler: async (request, reply) =>
      sendJson(reply, await createAnnotation(db, toWriter(request), request.body), 201),
  })

  app.get('/:id', {
    config: { scope: 'annotation:read', viewers: true },
    schema: {
      operationId: 'getAnnotation',
      summary: 'Get an annotation',
      description: 'Also returns an annotation in the trash.',
      tags,
      params,
      response: { 200: Annotation },
    },
    handler: async ({ caller, params: { id } }, reply) =>
      sendJson(reply, await getAnnotation(db, caller, id)),
  })

  app.patch('/:id', {
    config: { scope: 'annotation:write' },
    schema: {
      operationId: 'updateAnnotation',
      summary: 'Update an annotation',
      description: 'Changes only the fields sent.',
      tags,
      params,
      body: AnnotationWrite,
      response: { 200: Annotation },
    },
    handler: async (request, reply) => {
      const patch = { id: request.params.id, body: request.body }
      return sendJson(reply, await patchAnnotation(db, toWriter(request), patch))
    },
  })

  app.delete(
    '/:id',
    refusedDelete({ scope: 'annotation:write', operationId: 'deleteAnnotation', tags, params }),
  )

  app.get('/:id/activity', {
    config: { scope: 'annotation:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listAnnotationActivity',
      summary: 'List the activity of an annotation, newest first',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request) => {
      const { id } = await getAnnotationRow(db, request.caller, request.params.id)
      return pageItemActivity(db, request, 'Annotation', id)
    },
  })
}

/** A key that is limited to projects must not reach others through their charts. */
const toWriter = ({ caller, principal }: FastifyRequest) => ({
  ...caller,
  canMarkOrganization: caller.level >= ADMIN_LEVEL && principal.projects === undefined,
})
