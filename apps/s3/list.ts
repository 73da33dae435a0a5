import { readXml, type XmlElement } from '../shared/xml.ts'
import { type Bucket, toRefusal } from './bucket.ts'

export interface FileInfo {
  readonly key: string
  readonly size: number
  readonly etag: string
}

interface Page {
  readonly files: readonly FileInfo[]
  readonly next: string | undefined
}

/** Yields the files of a bucket in pages, in the order of their names. */
export async function* listFiles(
  bucket: Bucket,
  prefix: string,
): AsyncGenerator<readonly FileInfo[]> {
  let next: string | undefined
  do {
    const page: Page = await listPage(bucket, prefix, next)
    yield page.files
    // a server that repeats a token would never end
    next = page.next === next ? undefined : page.next
  } while (next !== undefined)
}

function listPage(bucket: Bucket, prefix: string, token: string | undefined): Promise<Page> {
  const query = {
    'list-type': '2',
    'encoding-type': 'url',
    ...(prefix !== '' && { prefix }),
    ...(token !== undefined && { 'continuation-token': token }),
  }
  return bucket.get('', { query }, async (response) => {
    const text = await response.text()
    if (!response.ok) throw toRefusal(bucket, response, text)
    return parsePage(text)
  })
}

function parsePage(text: string): Page {
  const files: FileInfo[] = []
  const page = new Map<string, string>()
  let isPage = false
  readXml(text, (element, parents) => {
    if (element.name === 'Contents') {
      files.push(toFile(element))
      return true
    }
    if (parents.length === 0) isPage = element.name === 'ListBucketResult'
    if (parents.length === 1) page.set(element.name, element.text)
    return false
  })
  if (!isPage) throw new Error('The address returned no list of files. Check the "Address".')
  const isEncoded = page.get('EncodingType') === 'url'
  return {
    files: files.map((file) => (isEncoded ? { ...file, key: decode(file.key) } : file)),
    next: page.get('IsTruncated') === 'true' ? page.get('NextContinuationToken') : undefined,
  }
}

function toFile({ children }: XmlElement): FileInfo {
  const text = (name: string) => children.find((child) => child.name === name)?.text ?? ''
  return { key: text('Key'), size: Number(text('Size')), etag: text('ETag').trim() }
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}
