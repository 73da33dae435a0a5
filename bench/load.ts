/** Drives one server with autocannon. Its first argument is the task, stdout the result. */
import autocannon from 'autocannon'

const { url, key, requests, connections, seconds, rate } = JSON.parse(process.argv[2] as string)

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
  requests,
  ...(rate && { overallRate: rate }),
})

const failures = result.errors + result.timeouts + result.non2xx
process.stdout.write(
  JSON.stringify({ rate: result.requests.average, p99: result.latency.p99, failures }),
)
