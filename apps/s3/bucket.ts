import type { App, FetchResponse, Meta } from '../shared/app.ts'
import { describeResponse, requestAndRead } from '../shared/requests.ts'
import { textSetting } from '../shared/settings.ts'
import { encode, type Keys, sign, toQuery } from './sign.ts'

export interface Bucket {
  /** Identifies the bucket, wherever its address is. */
  readonly name: string
  /** Requests an object, or the bucket itself if the key is empty, and reads the response. */
  get<T>(
    key: string,
    request: ObjectRequest,
    read: (response: FetchResponse) => Promise<T>,
  ): Promise<T>
}

export interface ObjectRequest {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

const AMAZON = /(^|\.)amazonaws\.com$/

export function openBucket(app: App): Bucket {
  const { keys, name, base, isHostStyle } = readSettings(app.meta)

  const toUrl = (key: string, query: Readonly<Record<string, string>>): URL => {
    const path = key.split('/').map(encode).join('/')
    const pathname = isHostStyle ? `/${path}` : `/${encode(name)}${path === '' ? '' : `/${path}`}`
    const url = new URL(base)
    url.pathname = pathname
    url.search = toQuery(query)
    // a part that is only dots would lead to another object
    if (url.pathname !== pathname) throw new Error(`The name "${key}" cannot be in a URL.`)
    return url
  }

  return {
    name,
    get(key, { query = {}, headers = {} }, read) {
      const url = toUrl(key, query)
      const signed = () => ({
        // a compressed transfer would have other bytes than the ranges of the object
        'accept-encoding': 'identity',
        ...headers,
        ...sign(url, keys, new Date()),
      })
      // each attempt has its own signature, because one ends after minutes; a redirect would need another
      const request = {
        redirect: 'manual',
        get headers() {
          return signed()
        },
      }
      return requestAndRead(app, url.href, request, read)
    },
  }
}

/** Says what was refused, and what to do about the usual causes. */
export function toRefusal(bucket: Bucket, response: FetchResponse, text: string): Error {
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''
  const region = response.headers.get('x-amz-bucket-region')
  const remedy = Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined
  const moved = response.status === 301 || code === 'AuthorizationHeaderMalformed'
  return new Error(
    [
      describeResponse(response.url || bucket.name, response, text),
      moved && region ? `The bucket is in the region ${region}.` : remedy,
    ]
      .filter(Boolean)
      .join(' '),
  )
}

const REMEDIES: Readonly<Record<string, string>> = {
  AccessDenied: 'The user must be allowed to list the bucket and to read its objects.',
  ExpiredToken: 'Enter new temporary keys.',
  InvalidAccessKeyId: 'Check the "Access key ID".',
  NoSuchBucket: 'Check the "Bucket" and the "Region".',
  RequestTimeTooSkewed: 'Check the clock of this server.',
  SignatureDoesNotMatch: 'Check the "Secret access key" and the "Region".',
}

function readSettings(meta: Pick<Meta, 'config'>) {
  const required = (key: string, label: string) => {
    const value = textSetting(meta, key)
    if (value === '') throw new Error(`The "${label}" is not set.`)
    return value
  }
  const name = required('bucket', 'Bucket')
  if (!/^[\w.-]{1,255}$/.test(name)) throw new Error(`The "Bucket" is not a name: "${name}".`)
  const region = textSetting(meta, 'region') || 'us-east-1'
  const endpoint = textSetting(meta, 'endpoint') || `https://s3.${region}.amazonaws.com`
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The "Address" is not valid: "${endpoint}".`)
  }
  const style = textSetting(meta, 'style')
  // the certificate of Amazon is not for host names with more dots
  const isAutomatic = style !== 'path' && style !== 'host name'
  const isHostStyle =
    style === 'host name' || (isAutomatic && AMAZON.test(url.hostname) && !name.includes('.'))
  const keys: Keys = {
    region,
    accessKey: required('access_key', 'Access key ID'),
    secretKey: required('secret_key', 'Secret access key'),
    sessionToken: textSetting(meta, 'session_token'),
  }
  const host = isHostStyle ? `${name}.${url.host}` : url.host
  return { keys, name, base: `${url.protocol}//${host}`, isHostStyle }
}
