import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { ApiError, forbidden } from '#server/errors.ts'
import type { PasswordThrottle } from '#server/features/accounts/sessions/sign-in.ts'
import type { Results } from '#server/features/results/results.ts'
import { sendJson } from '#server/http/json-text.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { installUrlEncodedBody, URL_ENCODED } from '#server/http/url-encoded.ts'
import type { Pictures } from '#server/pictures/contract.ts'
import { toSectionChoices } from '../dashboards/tile-results.ts'
import type { EmbedDeps } from '../embeds/open-embed.ts'
import { exportDashboard } from '../exports/dashboard-file.ts'
import { PictureQuery } from '../exports/schema.ts'
import { sendFile } from '../exports/send-file.ts'
import { enterPassword } from '../links/enter-password.ts'
import { findOpenLink, openLink, requireOpen } from '../links/open-link.ts'
import { findShownMarks, listShownTiles } from '../links/shown.ts'
import { createChoiceReader } from '../links/viewer-choices.ts'
import { SharedScene } from '../sharing/schema.ts'
import { readSharedDashboard } from '../sharing/shared-dashboard.ts'
import { installEmbedPages } from './embed-pages.ts'
import { passwordForm } from './notices.ts'
import { toPublicMessage } from './page-tiles.ts'
import { createPageSender, SharedPageQuery } from './send-page.ts'
import { createSharedExports, parseSharedFile } from './shared-files.ts'
import { createSvgCache } from './svg-cache.ts'

interface SharedRoutesOptions extends EmbedDeps {
  readonly results: Results
  readonly pictures: Pictures
  /** Counts wrong passwords. */
  readonly throttle: PasswordThrottle
  /** The configured public URL of the service. */
  readonly url: string | undefined
}

const config = { scope: 'public' } as const

const Password = Type.Object(
  { password: Type.String({ maxLength: 200 }) },
  { title: 'LinkPassword' },
)
export type LinkPassword = Static<typeof Password>

/** Public routes: the token in the URL grants access. */
export const sharedRoutes: FastifyPluginAsyncTypebox<SharedRoutesOptions> = async (
  app,
  { db, secrets, egress, results, pictures, throttle, url },
) => {
  const readChoices = createChoiceReader(db)
  const sender = createPageSender({ db, results, svgs: createSvgCache(pictures), readChoices }, url)
  const { sendPage, sendNotice } = sender
  const exportFile = createSharedExports(async ({ link, shown }, { choices, ...file }) => {
    const tiles = await listShownTiles(db, shown)
    const exported = { ...shown, tiles, isOneTile: shown.tile !== undefined }
    return exportDashboard({ results, pictures }, exported, {
      ...file,
      toMessage: toPublicMessage,
      toMarks: await findShownMarks(db, link, shown),
      overrides: choices.overrides,
    })
  })
  installUrlEncodedBody(app)

  app.get('/shared/:file', {
    config,
    schema: {
      operationId: 'getSharedDashboard',
      summary: 'Get a shared dashboard or insight as `/shared/<access token>.json`',
      description:
        'Also as `.csv`, `.png` or `.pdf`, unless the link allows no exports; without an extension as an HTML page. A link that has ended responds with 410. What its `viewer_filters` allow, viewers choose with `property.<key>` and `variable.<code name>`; other choices are refused.',
      tags: ['Sharing'],
      params: Type.Object({ file: Type.String({ description: '`<access token>.json`' }) }),
      querystring: Type.Object({ ...PictureQuery.properties, ...SharedPageQuery.properties }),
      response: { 200: SharedScene },
    },
    handler: async (request, reply) => {
      const { params, query } = request
      if (!params.file.includes('.')) return sendPage(request, reply, params.file, 'shared')
      reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
      const { token, format } = parseSharedFile(params.file)
      const open = requireOpen(await openLink(db, request, reply, token))
      const sections = toSectionChoices(query.sections_override)
      const choices = await readChoices(request, open.link)
      if (format === 'json') {
        const view = { sections, overrides: choices.overrides }
        return sendJson(reply, await readSharedDashboard(db, results, open, view))
      }
      if (!open.link.allows_exports) throw forbidden('This link does not allow downloads.')
      const file = { format, picture: query, choices }
      const access = {
        requireAccess: async () => requireOpen(await findOpenLink(db, request, token)),
      }
      return sendFile(reply, await whileAllowed(access, () => exportFile(open, file)))
    },
  })

  app.get('/shared/:token/state', {
    config,
    schema: {
      operationId: 'getSharedLinkState',
      summary: 'Ask whether a public link still opens',
      description: 'Open pages ask each second, and close once it does not.',
      tags: ['Sharing'],
      params: Type.Object({ token: Type.String() }),
      response: { 204: Type.Null({ description: 'It opens.' }) },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireOpen(await findOpenLink(db, request, request.params.token))
      return sendEmpty(reply, 204)
    },
  })

  app.post('/shared/:token/password', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'enterLinkPassword',
      summary: 'Enter the password of a public link',
      description:
        'Sets a cookie that opens this link for 30 days. A form gets the page of the link.',
      tags: ['Sharing'],
      params: Type.Object({ token: Type.String() }),
      body: Password,
      nonJsonBody: { [URL_ENCODED]: { schema: Password } },
      response: { 204: Type.Null({ description: 'The password is right.' }) },
    },
    handler: async (request, reply) => {
      const { token } = request.params
      const isForm = request.headers['content-type']?.startsWith(URL_ENCODED)
      const isRight = await enterPassword({ db, throttle }, request, reply, {
        token,
        password: request.body.password,
      })
      if (!isForm) {
        if (!isRight) throw new ApiError('authentication_failed', 'The password is wrong.')
        return sendEmpty(reply, 204)
      }
      if (!isRight)
        return sendNotice(reply, passwordForm(token, 'The password is wrong.'), 'shared')
      return reply.redirect(`/shared/${token}`, 303)
    },
  })

  installEmbedPages(app, {
    ...{ db, secrets, egress, results },
    ...{ sender, readChoices, exportFile },
  })
}
