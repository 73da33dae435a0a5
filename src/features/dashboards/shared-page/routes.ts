import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { ApiError, forbidden } from '#server/errors.ts'
import { createResetThrottle } from '#server/features/accounts/sessions/reset-mail.ts'
import { Email } from '#server/features/accounts/sessions/schema.ts'
import type { PasswordThrottle } from '#server/features/accounts/sessions/sign-in.ts'
import type { Results } from '#server/features/results/results.ts'
import { sendJson } from '#server/http/json-text.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { installUrlEncodedBody, URL_ENCODED } from '#server/http/url-encoded.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Pictures } from '#server/pictures/contract.ts'
import { toSectionChoices } from '../dashboards/tile-results.ts'
import type { EmbedDeps } from '../embeds/open-embed.ts'
import { exportDashboard } from '../exports/dashboard-file.ts'
import { PictureQuery } from '../exports/schema.ts'
import { sendFile } from '../exports/send-file.ts'
import { enterPassword } from '../links/enter-password.ts'
import { askForCode, enterCode } from '../links/guest-codes.ts'
import { findOpenLink, openLink, requireOpen } from '../links/open-link.ts'
import { findShownMarks, listShownTiles } from '../links/shown.ts'
import { findFrozenTiles } from '../links/snapshot.ts'
import { createChoiceReader } from '../links/viewer-choices.ts'
import { SharedScene } from '../sharing/schema.ts'
import { readSharedDashboard } from '../sharing/shared-dashboard.ts'
import { installEmbedPages } from './embed-pages.ts'
import { addressForm, codeForm, type Notice, passwordForm } from './notices.ts'
import { toPublicMessage } from './page-tiles.ts'
import { createPageSender, SharedPageQuery } from './send-page.ts'
import { createSharedExports, parseSharedFile } from './shared-files.ts'
import { createSvgCache } from './svg-cache.ts'

interface SharedRoutesOptions extends EmbedDeps {
  readonly results: Results
  readonly pictures: Pictures
  readonly mailer: Mailer
  /** Counts wrong passwords and codes. */
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

const Address = Type.Object({ email: Email }, { title: 'LinkAddress' })

const Code = Type.Object(
  { email: Email, code: Type.String({ minLength: 1, maxLength: 20 }) },
  { title: 'LinkCode' },
)

const WRONG_CODE = 'The code is wrong, or no longer works. Ask for another one.'

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith(URL_ENCODED) === true

/** Public routes: the token in the URL grants access. */
export const sharedRoutes: FastifyPluginAsyncTypebox<SharedRoutesOptions> = async (
  app,
  { db, secrets, egress, results, pictures, throttle, mailer, url },
) => {
  const mailThrottle = createResetThrottle()
  const readChoices = createChoiceReader(db)
  const sender = createPageSender({ db, results, svgs: createSvgCache(pictures), readChoices }, url)
  const { sendPage, sendNotice } = sender
  const exportFile = createSharedExports(async ({ link, shown }, { choices, ...file }) => {
    const frozen = await findFrozenTiles(db, link)
    const tiles = frozen?.tiles ?? (await listShownTiles(db, shown))
    const exported = { ...shown, tiles, isOneTile: shown.tile !== undefined }
    return exportDashboard({ results, pictures }, exported, {
      ...file,
      toMessage: toPublicMessage,
      hidesPersons: true,
      toMarks: frozen?.toMarks ?? (await findShownMarks(db, link, shown)),
      frozen,
      overrides: choices.overrides,
    })
  })
  installUrlEncodedBody(app)

  /** Does what a program or a form asks. A form gets a page: itself with the problem, the next one, or that of the link. */
  async function submit(
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
    work: () => Promise<void>,
    toForm: (problem: ApiError) => Notice,
    next?: Notice,
  ) {
    if (!isForm(request)) {
      await work()
      return sendEmpty(reply, 204)
    }
    const page = `/shared/${encodeURIComponent(request.params.token)}`
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // the page of the link says so in its own words
      if ([404, 410].includes(error.statusCode)) {
        return reply.redirect(page, 303)
      }
      return sendNotice(reply.headers(error.headers), toForm(error), 'shared')
    }
    if (next) return sendNotice(reply, next, 'shared')
    return reply.redirect(page, 303)
  }

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
      const enter = async () => {
        const { password } = request.body
        const entered = { token, password }
        if (await enterPassword({ db, throttle }, request, reply, entered)) return
        throw new ApiError('authentication_failed', 'The password is wrong.')
      }
      return submit(request, reply, enter, (problem) => passwordForm({ token, problem }))
    },
  })

  app.post('/shared/:token/code', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'askForLinkCode',
      summary: 'Ask for a code to open a public link for people',
      description:
        'Mails six digits to an address that the link invites: once usable, for ten minutes. Responds the same for other addresses. A form gets the page that asks for the code.',
      tags: ['Sharing'],
      params: Type.Object({ token: Type.String() }),
      body: Address,
      nonJsonBody: { [URL_ENCODED]: { schema: Address } },
      response: { 204: Type.Null({ description: 'Mailed, if the address is invited.' }) },
    },
    handler: async (request, reply) => {
      const { token } = request.params
      const { email } = request.body
      const ask = () => askForCode({ db, mailer, mailThrottle }, request, { token, email })
      return submit(
        request,
        reply,
        ask,
        (problem) => addressForm({ token, problem }),
        codeForm({ token, email: email.trim() }),
      )
    },
  })

  app.post('/shared/:token/guest', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'enterLinkCode',
      summary: 'Enter the code for a public link for people',
      description:
        'Sets a cookie that opens this link for 30 days, unless the guest is removed. A form gets the page of the link.',
      tags: ['Sharing'],
      params: Type.Object({ token: Type.String() }),
      body: Code,
      nonJsonBody: { [URL_ENCODED]: { schema: Code } },
      response: { 204: Type.Null({ description: 'The code is right.' }) },
    },
    handler: async (request, reply) => {
      const { token } = request.params
      const { email, code } = request.body
      const enter = async () => {
        if (await enterCode({ db, throttle }, request, reply, { token, email, code })) return
        throw new ApiError('authentication_failed', WRONG_CODE)
      }
      return submit(request, reply, enter, (problem) => codeForm({ token, email, problem }))
    },
  })

  installEmbedPages(app, {
    ...{ db, secrets, egress, results },
    ...{ sender, readChoices, exportFile },
  })
}
