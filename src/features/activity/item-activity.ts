import type { FastifyRequest } from 'fastify'
import type { Db } from '#server/db/schema.ts'
import { page } from '#server/http/page.ts'
import { type ActivityScope, listActivity } from './store.ts'

/** Lists a page of what was done with an item of the caller's project. */
export function pageItemActivity(
  db: Db,
  request: FastifyRequest,
  scope: ActivityScope,
  itemId: number,
  name?: string,
) {
  const { projectId } = request.caller
  return page(request, (range) => listActivity(db, { projectId, scope, itemId, name }, range))
}
