/**
 * Requests `/_health` of the server in its first argument at a fixed rate, without waiting for earlier responses, until
 * its input ends; then prints the 99th percentile in ms. It is a separate process, because a process that also sends
 * the load would measure its own delays.
 */
import { Agent, get } from 'node:http'

const SAMPLE_MS = 20

const agent = new Agent({ keepAlive: true })
const times: number[] = []
const pending = new Set<Promise<void>>()
const timer = setInterval(() => {
  const began = performance.now()
  const answered = request(`${process.argv[2]}/_health`).then(() => {
    times.push(performance.now() - began)
    pending.delete(answered)
  })
  pending.add(answered)
}, SAMPLE_MS)

process.stdin.resume().once('end', async () => {
  clearInterval(timer)
  await Promise.all(pending)
  agent.destroy()
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  process.stdout.write(JSON.stringify(p99))
})

/** Resolves when the request has ended, even if it failed. */
function request(url: string): Promise<void> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => response.resume().once('close', resolve)).once('error', () =>
      resolve(),
    )
  })
}
