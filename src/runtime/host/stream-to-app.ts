import type { CallContext } from './call-context.ts'

/** Sends a body to the app as it reads it. One that the app does not begin to read is given up. */
export async function streamToApp(
  { limits, streams, stream }: Pick<CallContext, 'limits' | 'streams' | 'stream'>,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const unread = setTimeout(() => {
    if (!streams.isRead(stream)) streams.cancel(stream, 'The body was not read in time.')
  }, limits.waitMs)
  try {
    await streams.pump(stream, body)
  } finally {
    clearTimeout(unread)
  }
}
