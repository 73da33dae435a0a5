import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { acceptsByName, sendIfJsonAccepted } from '#server/http/negotiation.ts'
import { FRONTEND } from '../plugins/package/app-files.ts'
import { findFile, type PluginFile } from '../plugins/store.ts'

const strict = { additionalProperties: false }

export const Frontend = Type.Union(
  [
    Type.Object({ no_frontend: Type.Literal(true) }, strict),
    Type.Object(
      { error: Type.String({ description: 'Why the page could not be compiled.' }) },
      strict,
    ),
    Type.Object(
      { source: Type.String({ description: 'The source of the JavaScript module.' }) },
      strict,
    ),
  ],
  { title: 'Frontend' },
)

const SCRIPT_TYPES = ['text/javascript', 'application/javascript']

/** Sends the frontend of the app as JSON or JavaScript. The body is empty if `Accept` names neither. */
export async function sendFrontend(
  request: FastifyRequest,
  reply: FastifyReply,
  db: Db,
  pluginId: number,
): Promise<FastifyReply> {
  const wantsJson = acceptsByName(request, 'application/json')
  const wantsScript = !wantsJson && SCRIPT_TYPES.some((type) => acceptsByName(request, type))
  const find = () => findFile(db, pluginId, FRONTEND)
  if (!wantsScript) return sendIfJsonAccepted(request, reply, async () => toContent(await find()))
  return reply
    .header('vary', 'accept, authorization, cookie')
    .type('text/javascript; charset=utf-8')
    .send(toModule(await find()))
}

function toContent(file: PluginFile | undefined) {
  if (!file) return { no_frontend: true }
  return file.compiled === null ? { error: toProblem(file) } : { source: file.compiled }
}

/** Keeps the exact spacing that clients of these modules expect. */
function toModule(file: PluginFile | undefined): string {
  if (!file) return wrapEntry('"no_frontend": true')
  return file.compiled ?? wrapEntry(`"error": ${JSON.stringify(toProblem(file))}`)
}

const wrapEntry = (entry: string): string =>
  `export function getFrontendApp () { return {${entry}} }`

const toProblem = ({ problem }: PluginFile): string => problem ?? 'Error Compiling Plugin'
