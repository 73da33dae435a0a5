import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { Db } from '#server/db/schema.ts'
import type { Results } from '#server/features/results/results.ts'
import { sendJson } from '#server/http/json-text.ts'
import type { Pictures } from '#server/pictures/contract.ts'
import { findMarks } from '../annotations/marks.ts'
import { exportDashboard } from '../exports/dashboard-file.ts'
import { PictureQuery } from '../exports/schema.ts'
import { sendFile } from '../exports/send-file.ts'
import { SharedDashboard } from '../sharing/schema.ts'
import { getSharedFile, readSharedDashboard } from '../sharing/shared-dashboard.ts'
import { NO_RESULT } from './page-tiles.ts'
import { createPageSender, SharedPageQuery } from './send-page.ts'
import { createSharedExports } from './shared-files.ts'
import { createSvgCache } from './svg-cache.ts'

interface SharedRoutesOptions {
  readonly db: Db
  readonly results: Results
  readonly pictures: Pictures
  /** The configured public URL of the service. */
  readonly url: string | undefined
}

const config = { scope: 'public' } as const

/** Public routes: the token in the URL grants access. */
export const sharedRoutes: FastifyPluginAsyncTypebox<SharedRoutesOptions> = async (
  app,
  { db, results, pictures, url },
) => {
  const sendPage = createPageSender({ db, results, svgs: createSvgCache(pictures) }, url)
  const exportFile = createSharedExports(async (dashboard, format, picture) =>
    exportDashboard({ db, results, pictures }, dashboard, {
      format,
      picture,
      toMessage: () => NO_RESULT,
      toMarks: await findMarks(db, dashboard.project_id, true),
    }),
  )

  app.get('/shared/:file', {
    config,
    schema: {
      operationId: 'getSharedDashboard',
      summary: 'Get a shared dashboard as `/shared/<access token>.json`',
      description: 'Also as `.csv`, `.png` or `.pdf`; without an extension as an HTML page.',
      tags: ['Sharing'],
      params: Type.Object({ file: Type.String({ description: '`<access token>.json`' }) }),
      querystring: Type.Object({ ...PictureQuery.properties, ...SharedPageQuery.properties }),
      response: { 200: SharedDashboard },
    },
    handler: async (request, reply) => {
      const { params, query } = request
      if (!params.file.includes('.')) return sendPage(request, reply, params.file, 'shared')
      reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
      const { row, format } = await getSharedFile(db, params.file)
      if (format === 'json') return sendJson(reply, await readSharedDashboard(db, results, row))
      const link = { requireAccess: () => getSharedFile(db, params.file) }
      return sendFile(reply, await whileAllowed(link, () => exportFile(row, format, query)))
    },
  })

  app.get('/embedded/:token', {
    config,
    schema: {
      hide: true,
      params: Type.Object({ token: Type.String() }),
      querystring: SharedPageQuery,
    },
    handler: (request, reply) => sendPage(request, reply, request.params.token, 'embedded'),
  })
}
