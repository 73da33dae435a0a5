import type { FastifyReply } from 'fastify'

/**
 * JSON that is text already. Documents are stored as text, so the busiest answers are written around them instead of
 * parsing and writing them again (docs/decisions/0004). Strings go in through `quoted`, or are known to need no
 * escaping: times, uuids, words of our own.
 */
export type JsonText = string & { readonly isJson: unique symbol }

export const toJsonText = (value: unknown): JsonText => JSON.stringify(value) as JsonText

export const quoted = (value: string | null): string => JSON.stringify(value)

export const sendJson = (reply: FastifyReply, json: JsonText, status = 200): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(json)
