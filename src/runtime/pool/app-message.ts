import type { AppAttachment, AppSpec } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { AppToLoad, AttachmentToLoad } from '../wire/protocol.ts'

/** Streams that the app opens are numbered from 1. */
const FIRST_STREAM = 2 ** 31

export interface AppMessage {
  readonly app: AppToLoad
  /** The attachments to send after the app, by their stream. */
  readonly streams: ReadonlyMap<number, AppAttachment>
}

/** Prepares the app for sending. Attachments that fit into the limit are sent at once. */
export function toAppMessage(spec: AppSpec, limits: Limits): AppMessage {
  const streams = new Map<number, AppAttachment>()
  const attachments: AttachmentToLoad[] = []
  let room = limits.maxAttachmentBytes
  for (const [key, attachment] of Object.entries(spec.attachments)) {
    const { content_type, file_name, size } = attachment
    const stream = size <= room ? FIRST_STREAM + streams.size : undefined
    attachments.push({ key, content_type, file_name, size, stream })
    if (stream === undefined) continue
    room -= size
    streams.set(stream, attachment)
  }
  const { code, pluginId, pluginName, configId, config } = spec
  return { app: { code, pluginId, pluginName, configId, config, attachments, limits }, streams }
}
