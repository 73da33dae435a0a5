const HOST = 'docs.google.com'
const PUBLISHED = /^\/spreadsheets\/d\/e\/([\w-]+)\/pub(html)?$/
const SHARED = /^\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]+)(?:\/|$)/

/** Returns the URL of a sheet as CSV. Accepts the links that Google Sheets shows for a published or shared one. */
export function toCsvUrl(link: string): string {
  const { url, gid: sheet } = parse(link)
  const published = PUBLISHED.exec(url.pathname)
  if (published) {
    const query = new URL(`https://${HOST}/spreadsheets/d/e/${published[1]}/pub?output=csv`)
    if (sheet)
      for (const [name, value] of [
        ['single', 'true'],
        ['gid', sheet],
      ] as const) {
        query.searchParams.set(name, value)
      }
    return query.href
  }
  const shared = SHARED.exec(url.pathname)
  if (!shared) throw badLink()
  const gid = sheet ? `&gid=${sheet}` : ''
  return `https://${HOST}/spreadsheets/d/${shared[1]}/export?format=csv${gid}`
}

/** Returns the ID of a spreadsheet and that of its tab, if the link is that of one. */
export function toSheet(link: string): { readonly id: string; readonly gid: string | undefined } {
  const { url, gid } = parse(link)
  if (PUBLISHED.test(url.pathname)) {
    throw new Error(
      'The "Link" is that of a published sheet, which needs no key. Copy the link of the sheet itself.',
    )
  }
  const id = SHARED.exec(url.pathname)?.[1]
  if (id === undefined) throw badLink()
  return { id, gid }
}

function parse(link: string): { readonly url: URL; readonly gid: string | undefined } {
  const url = URL.parse(link.trim())
  if (url?.protocol !== 'https:' || url.host !== HOST) throw badLink()
  return { url, gid: url.searchParams.get('gid') ?? /\bgid=(\d+)/.exec(url.hash)?.[1] }
}

const badLink = (): Error =>
  new Error(`The "Link" is not that of a sheet. It begins with https://${HOST}/spreadsheets/d/.`)
