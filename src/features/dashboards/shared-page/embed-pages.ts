import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { ApiError, notFound, toRefusal } from '#server/errors.ts'
import type { Results } from '#server/features/results/results.ts'
import { sendJson } from '#server/http/json-text.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { toSectionChoices } from '../dashboards/tile-results.ts'
import {
  createEmbedOpener,
  type EmbedDeps,
  isSigned,
  type OpenEmbed,
  toEmbedOverrides,
} from '../embeds/open-embed.ts'
import { DASHBOARD_FORMATS } from '../exports/dashboard-file.ts'
import { PictureQuery } from '../exports/schema.ts'
import { sendFile } from '../exports/send-file.ts'
import type { createChoiceReader, ViewerChoices } from '../links/viewer-choices.ts'
import { readSharedDashboard } from '../sharing/shared-dashboard.ts'
import { refusedEmbed } from './notices.ts'
import { type createPageSender, SharedPageQuery } from './send-page.ts'
import type { ExportFile } from './shared-files.ts'

interface EmbedPagesOptions extends EmbedDeps {
  readonly results: Results
  readonly sender: ReturnType<typeof createPageSender>
  readonly readChoices: ReturnType<typeof createChoiceReader>
  readonly exportFile: ExportFile
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const config = { scope: 'public' } as const
const params = Type.Object({ token: Type.String() })

/** A token and the format of its file: `<header>.<claims>.<signature>.csv`. */
const SIGNED_FILE = /^([^.]*\.[^.]*\.[^.]*)\.([a-z]+)$/

/** Serves pages in frames: those of public links, and those that a signed token opens, with their data and files. */
export function installEmbedPages(
  app: App,
  { sender, readChoices, exportFile, results, ...deps }: EmbedPagesOptions,
): void {
  const { db } = deps
  const openEmbed = createEmbedOpener(deps)
  const toOverrides = (open: OpenEmbed) => (choices: ViewerChoices) =>
    toEmbedOverrides(db, open, choices)

  app.get('/embedded/:token', {
    config,
    schema: {
      hide: true,
      params,
      querystring: Type.Object({ ...PictureQuery.properties, ...SharedPageQuery.properties }),
    },
    handler: (request, reply) => {
      const { token } = request.params
      if (!isSigned(token)) return sender.sendPage(request, reply, token, 'embedded')
      const [, signed, format] = SIGNED_FILE.exec(token) ?? []
      return signed && format
        ? sendData(request, reply, signed, format)
        : sendSigned(request, reply, token)
    },
  })

  app.get('/embedded/:token/state', {
    config,
    schema: { hide: true, params },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { token } = request.params
      if (!isSigned(token)) throw notFound()
      await openEmbed(request, token)
      return sendEmpty(reply, 204)
    },
  })

  async function sendSigned(request: FastifyRequest, reply: FastifyReply, token: string) {
    const open = await openEmbed(request, token).catch(toRefusal)
    if (open instanceof ApiError) {
      reply.headers(open.headers)
      // any page may frame it, since it shows nothing
      return sender.sendNotice(reply, refusedEmbed(open), 'embedded', null)
    }
    const path = `/embedded/${token}`
    return sender.sendOpen(request, reply, open, {
      ...{ kind: 'embedded', path, home: path },
      theme: open.theme,
      toOverrides: toOverrides(open),
    })
  }

  async function sendData(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    extension: string,
  ) {
    const format = DASHBOARD_FORMATS.find((each) => each === extension)
    if (!format) throw notFound()
    reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    const open = await openEmbed(request, token)
    const query = request.query as PictureQuery & SharedPageQuery
    const sections = toSectionChoices(query.sections_override)
    const chosen = await readChoices(request, open.link)
    const overrides = await toOverrides(open)(chosen)
    if (format === 'json') {
      return sendJson(reply, await readSharedDashboard(db, results, open, { sections, overrides }))
    }
    const file = { format, picture: query, choices: { ...chosen, overrides } }
    const access = { requireAccess: async () => void (await openEmbed(request, token)) }
    return sendFile(reply, await whileAllowed(access, () => exportFile(open, file)))
  }
}
