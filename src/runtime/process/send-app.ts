import type { AppSpec } from '../contract.ts'
import type { Host } from '../host/host.ts'
import type { Limits } from '../limits.ts'
import type { Channel } from './channel.ts'
import type { AppToLoad } from './protocol.ts'

/** Those that the app opens are numbered from 1. */
const FIRST_STREAM = 2 ** 31

/** The app, then the attachments that are small enough to be given as a whole. */
export function sendApp(
  id: number,
  spec: AppSpec,
  { channel, host, limits }: { channel: Channel; host: Host; limits: Limits },
): void {
  let room = limits.maxAttachmentBytes
  const attachments = Object.entries(spec.attachments).map(([key, attachment], index) => {
    const { content_type, file_name, size } = attachment
    const fits = size <= room
    if (fits) room -= size
    return {
      key,
      content_type,
      file_name,
      size,
      stream: fits ? FIRST_STREAM + index : undefined,
      attachment,
    }
  })
  const { code, pluginId, pluginName, configId, config } = spec
  const app: AppToLoad = {
    code,
    pluginId,
    pluginName,
    configId,
    config,
    attachments: attachments.map(({ attachment: _, ...known }) => known),
    limits,
  }
  channel.send({ t: 'load', id, app })
  for (const { stream, attachment } of attachments) {
    if (stream !== undefined) void host.streams.pump(stream, attachment.read())
  }
}
