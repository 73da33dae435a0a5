import { createHash, createHmac } from 'node:crypto'
import type { FakeResponse } from './fake-app.ts'

type Headers = Readonly<Record<string, string>>

export const S3_KEYS = { access_key: 'AKID', secret_key: 's3cret', region: 'eu-1' }

const PAGE = 2

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const refuse = (status: number, code: string): FakeResponse => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
})

/** Storage with the API of S3, which verifies the signature of each request as its documentation says. */
export class FakeS3 {
  readonly objects = new Map<string, Buffer>()
  /** The path and the range of each request for an object. */
  readonly reads: string[] = []
  readonly bucket: string
  readonly isHostStyle: boolean

  constructor(bucket: string, { isHostStyle = false } = {}) {
    this.bucket = bucket
    this.isHostStyle = isHostStyle
  }

  put(key: string, body: string | Uint8Array): void {
    this.objects.set(key, Buffer.from(body as string))
  }

  respond(url: URL, headers: Headers): FakeResponse {
    const refused = this.#verify(url, headers)
    if (refused) return refused
    const path = this.isHostStyle ? url.pathname : url.pathname.replace(`/${this.bucket}`, '')
    if (!this.isHostStyle && !url.pathname.startsWith(`/${this.bucket}`)) {
      return refuse(404, 'NoSuchBucket')
    }
    const key = decodeURIComponent(path.slice(1))
    return key === '' ? this.#list(url.searchParams) : this.#read(key, headers)
  }

  #verify(url: URL, headers: Headers): FakeResponse | undefined {
    const pattern =
      /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/
    const [, id, day = '', region = '', names = '', signature] =
      pattern.exec(headers.authorization ?? '') ?? []
    if (id !== S3_KEYS.access_key) return refuse(403, 'InvalidAccessKeyId')
    const query = url.search.slice(1).split('&').filter(Boolean)
    const sent: Headers = { ...headers, host: url.host }
    const canonical = [
      'GET',
      url.pathname,
      query
        .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
        .sort()
        .join('&'),
      ...names.split(';').map((name) => `${name}:${sent[name]?.trim()}`),
      '',
      names,
      headers['x-amz-content-sha256'],
    ].join('\n')
    const scope = `${day}/${region}/s3/aws4_request`
    const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${sha256(canonical)}`
    const dayKey = hmac(`AWS4${S3_KEYS.secret_key}`, day)
    const key = hmac(hmac(hmac(dayKey, S3_KEYS.region), 's3'), 'aws4_request')
    const isRight = hmac(key, text).toString('hex') === signature && names.includes('host')
    return isRight ? undefined : refuse(403, 'SignatureDoesNotMatch')
  }

  #list(query: URLSearchParams): FakeResponse {
    if (query.get('list-type') !== '2') return refuse(400, 'InvalidRequest')
    const prefix = query.get('prefix') ?? ''
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort()
    const from = Number(query.get('continuation-token')?.replace('after ', '') ?? 0)
    const contents = keys.slice(from, from + PAGE).map((key) => {
      const body = this.objects.get(key) as Buffer
      const name = encodeURIComponent(key).replaceAll('%20', '+')
      return `<Contents><Key>${name}</Key><Size>${body.length}</Size><ETag>${escapeXml(etagOf(body))}</ETag></Contents>`
    })
    const isTruncated = from + PAGE < keys.length
    const next = isTruncated
      ? `<NextContinuationToken>after ${from + PAGE}</NextContinuationToken>`
      : ''
    return {
      body: `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    }
  }

  #read(key: string, headers: Headers): FakeResponse {
    const body = this.objects.get(key)
    this.reads.push([key, headers.range].filter(Boolean).join(' '))
    if (!body) return refuse(404, 'NoSuchKey')
    if (headers['if-match'] !== undefined && headers['if-match'] !== etagOf(body)) {
      return refuse(412, 'PreconditionFailed')
    }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    if (from === undefined) return { body }
    const end = to ? Number(to) + 1 : body.length
    return { status: 206, body: body.subarray(Number(from), end) }
  }
}
