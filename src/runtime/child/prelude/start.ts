import type { FromApp, ToApp } from '#server/runtime/wire/protocol.ts'
import type { Bridge, Prelude } from '../bridge.ts'
import { type App, runApp } from './app.ts'
import { createCalls } from './calls.ts'
import { toAppError } from './errors.ts'
import { createStreams } from './streams.ts'

/** Runs first in the app's context and then receives every message of the host. */
export function start(bridge: Bridge): Prelude {
  // taken before the app can replace them
  const { parse, stringify } = JSON
  const toText = (message: FromApp): string => stringify(message)
  const sendText = (text: string): number => {
    const bytes = bridge.sendControl(text)
    if (bytes > 0) return bytes
    throw new RangeError('This is too large to leave the app. Send it in smaller parts.')
  }
  const send = (message: FromApp): void => void sendText(toText(message))
  const calls = createCalls({ toText, sendText })
  const streams = createStreams(send, bridge.sendBytes)
  let app: App | undefined
  const nextTurn = () => new Promise<void>((resolve) => bridge.defer(resolve))

  async function load(message: Extract<ToApp, { t: 'load' }>): Promise<unknown> {
    app = await runApp({ bridge, calls, streams, send, nextTurn }, message.app)
    return app.description
  }

  async function invoke({ task }: Extract<ToApp, { t: 'invoke' }>): Promise<unknown> {
    // replies that came before continue code that an earlier run left, whose next calls must not belong to this run
    await nextTurn()
    send({ t: 'started' })
    return app?.invoke(task)
  }

  async function respond(id: number, result: Promise<unknown> | undefined): Promise<void> {
    try {
      const value = await result
      // rejections that nobody handles are known after this turn, and belong to the run
      await nextTurn()
      send({ t: 'result', id, value })
    } catch (thrown) {
      send({ t: 'failure', id, error: toAppError(thrown) })
    }
  }

  return {
    receive(text) {
      const message = parse(text) as ToApp
      if (message.t === 'load') void respond(message.id, load(message))
      else if (message.t === 'invoke') void respond(message.id, invoke(message))
      else if (message.t === 'reply' || message.t === 'refuse') calls.receive(message)
      else if (message.t !== 'prelude') streams.control(message)
    },
    receiveBytes: streams.receive,
    reportUncaught: (reason) => send({ t: 'uncaught', message: toAppError(reason).stack }),
  }
}
