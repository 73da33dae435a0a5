import { describe, expect, it } from 'vitest'
import { encode, sign, toQuery } from './sign.ts'

/** The keys and the time of the examples in the documentation of Signature Version 4 for S3. */
const KEYS = {
  region: 'us-east-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
}
const AT = new Date('2013-05-24T00:00:00Z')

describe('a signature', () => {
  it.each([
    [
      { prefix: 'J', 'max-keys': '2' },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
    [{ lifecycle: '' }, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ])('of a request with %j is that of the documentation', (parameters, signature) => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com/?${toQuery(parameters)}`)

    const { authorization } = sign(url, KEYS, AT)

    expect(authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
    )
  })

  it('includes the token of temporary keys', () => {
    const headers = sign(new URL('https://a/'), { ...KEYS, sessionToken: 't' }, AT)

    expect(headers).toMatchObject({
      'x-amz-security-token': 't',
      authorization: expect.stringContaining('x-amz-date;x-amz-security-token,'),
    })
  })

  it('encodes all that RFC 3986 reserves', () => {
    expect(encode("a b+c/!'()*~é")).toBe('a%20b%2Bc%2F%21%27%28%29%2A~%C3%A9')
  })
})
