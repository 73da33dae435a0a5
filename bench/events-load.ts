/**
 * Sends batches of events to one server, with new uuids and a fifth of new persons each time. Its first argument is the
 * task, stdout the result. Plain sockets: autocannon would cost more than the server under test.
 */
import { connect } from 'node:net'
import { benchEvents } from './events-data.ts'

const { url, token, connections, seconds, batch, first } = JSON.parse(process.argv[2] as string)
const { hostname, port } = new URL(url)
/** The length of the digits that make a uuid or a new person's ID unique. */
const DIGITS = 12
/** Every fifth event is of a new person. */
const NEW_PERSONS = 5
let [next, answered, failures, stopped] = [first as number, 0, 0, false]

await Promise.all(Array.from({ length: connections }, send))
process.stdout.write(JSON.stringify({ rate: answered / seconds, failures, next }))

function send(): Promise<void> {
  const { request, digitsAt } = buildRequest()
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const post = () => {
    for (const at of digitsAt)
      request.write((next++).toString(16).padStart(DIGITS, '0'), at, 'latin1')
    socket.write(request)
  }
  return new Promise((resolve, reject) => {
    let response = ''
    socket.on('error', reject)
    socket.on('connect', post)
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1')
      if (!isComplete(response)) return
      if (response.startsWith('HTTP/1.1 200')) answered++
      else failures++
      response = ''
      if (!stopped) return post()
      socket.destroy()
      resolve()
    })
    setTimeout(() => {
      stopped = true
    }, seconds * 1000)
  })
}

function buildRequest() {
  const events = benchEvents(batch).map((event, index) =>
    index % NEW_PERSONS ? event : { ...event, distinct_id: `new-${'0'.repeat(DIGITS)}` },
  )
  const body = JSON.stringify({ api_key: token, batch: events })
  const head = `POST /batch/ HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const text = head + body
  const unique = text.matchAll(/"uuid":"[^"]{24}|"distinct_id":"new-/g)
  const digitsAt = [...unique].map(({ 0: before, index }) => index + before.length)
  return { request: Buffer.from(text, 'latin1'), digitsAt }
}

function isComplete(response: string): boolean {
  const end = response.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(response)?.[1]
  return end >= 0 && response.length >= end + 4 + Number(length)
}
