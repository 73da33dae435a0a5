import { toAgo } from '#model/ago.ts'
import { TILE_COLORS } from '#model/palette.ts'
import { groupBySection, type TileGroup } from '#model/sections.ts'
import { type Html, html } from '#server/html/html.ts'
import { dataTable } from './data-table.ts'
import type { Notice } from './notices.ts'
import type { PageTile } from './page-tiles.ts'

export type Theme = 'light' | 'dark' | undefined

export interface SharedPage {
  readonly noun: 'dashboard' | 'insight'
  readonly name: string
  readonly description: string
  readonly tiles: readonly PageTile[]
  /** The moment of its results, if they are frozen. */
  readonly frozenAt: string | null
  /** The origin of links for other people; undefined if it is not known. */
  readonly origin: string | undefined
  /** The path of the public link: `/shared/<token>`. */
  readonly link: string
  readonly theme: Theme
  readonly hasHeader: boolean
  /** Whether the page offers files, and its preview shows a picture of it. */
  readonly hasFiles: boolean
  /** Tags that load the script of the page. */
  readonly scripts: Html
  readonly toMarkdown: (text: string) => Html
  /** The form with which viewers narrow what they see. */
  readonly choices: Html | undefined
  /** Their choices as the parameters of an address: empty, or with a question mark. */
  readonly search: string
  /** Returns the address of the page on which a section is open. */
  readonly toOpenLink: (title: PageTile) => string
}

/** A browser without scripts reloads a pending page. */
const RELOAD_SECONDS = 5
/** The preview that other sites show with a link to this page, in CSS pixels; the PNG has two pixels for each. */
const CARD = { width: 1200, height: 630 }

export async function renderPage(page: SharedPage, style: string): Promise<string> {
  const { name, tiles, theme, hasHeader, scripts } = page
  const isPending = tiles.some((tile) => tile.isPending)
  const groups: Html[] = []
  for (const group of groupBySection(tiles, ({ section }) => section !== null)) {
    groups.push(await tileGroup(group, page))
  }
  const head = html`${cardTags(page)}
${isPending && html`<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>`}
${scripts}`
  const body = html`${hasHeader && pageHeader(page)}
${page.choices}
<main${!hasHeader && html` class="bare"`}>
${!hasHeader && html`<h1 hidden>${name}</h1>`}
${tiles.length === 0 ? html`<div class="empty"><p>This dashboard is empty.</p></div>` : groups}
</main>
${hasHeader && pageFooter(page)}`
  return renderDocument({ title: name, theme, style, head, body })
}

/** Renders a page without a dashboard. */
export const renderNotice = (
  { title, content }: Notice,
  { style, theme, fonts }: { readonly style: string; readonly theme: Theme; readonly fonts: Html },
): string =>
  renderDocument({
    title,
    theme,
    style,
    head: fonts,
    body: html`<main class="empty"><h1>${title}</h1>
${content}</main>`,
  })

interface Document {
  readonly title: string
  readonly theme: Theme
  readonly style: string
  readonly head: Html
  readonly body: Html
}

function renderDocument({ title, theme, style, head, body }: Document): string {
  // not interpolated as text: escaped, it would not match its hash in the policy
  const styleTag = { html: `<style>${style}</style>` }
  return html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${head}
${styleTag}
</head>
<body>
${body}
</body>
</html>
`.html
}

function cardTags({ noun, name, description, origin, link, hasFiles }: SharedPage): Html {
  const about =
    description || `${noun === 'dashboard' ? 'A dashboard' : 'An insight'} shared with Hedgerow.`
  return html`<meta name="description" content="${about}">
<meta property="og:type" content="website">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${about}">
${origin !== undefined && hasFiles && pictureTags(name, `${origin}${link}`)}`
}

const pictureTags = (
  name: string,
  url: string,
): Html => html`<meta property="og:url" content="${url}">
<meta property="og:image" content="${url}.png?width=${CARD.width}&amp;height=${CARD.height}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${CARD.width * 2}">
<meta property="og:image:height" content="${CARD.height * 2}">
<meta property="og:image:alt" content="${name}">
<meta name="twitter:card" content="summary_large_image">`

function pageHeader({ name, description, tiles, frozenAt }: SharedPage): Html {
  return html`<header>
<h1>${name}</h1>
${description !== '' && html`<p>${description}</p>`}
<p class="when" id="when">${frozenAt === null ? updatedText(tiles) : `As of ${frozenAt.slice(0, 10)} ${frozenAt.slice(11, 16)} UTC`}</p>
</header>`
}

function updatedText(tiles: readonly PageTile[]): Html {
  const [oldest] = tiles
    .flatMap(({ computedAt, isHidden }) => (computedAt && !isHidden ? [computedAt] : []))
    .sort()
  return html`${oldest && html`Updated <time datetime="${oldest}">${toAgo(oldest)}</time>`}${tiles.some(({ isPending }) => isPending) && html`${oldest && ', '}computing newer results`}`
}

const pageFooter = ({ link, search, hasFiles }: SharedPage): Html => html`<footer>
<span>Shared with Hedgerow</span>
${hasFiles && html`<a href="${link}.png${search}">PNG</a> <a href="${link}.pdf${search}">PDF</a> <a href="${link}.csv${search}">CSV</a>`}
</footer>`

/** Renders a section, which opens without scripts too. A script then asks for newer results; otherwise a link does. */
async function tileGroup(
  { title, items }: TileGroup<PageTile>,
  { noun, hasHeader, toMarkdown, toOpenLink }: SharedPage,
): Promise<Html> {
  const tiles: Html[] = []
  const isTitled = noun === 'dashboard' || !hasHeader // the header has the title of an insight
  for (const tile of items) tiles.push(await tileSection(tile, { toMarkdown, isTitled }))
  const grid = tiles.length > 0 && html`<div class="grid">${tiles}</div>`
  if (!title) return html`${grid}`
  const isOpen = title.section === 'open'
  return html`<details class="section" data-section="${title.id}"${isOpen && html` open`}>
<summary><h2>${title.text ?? ''}</h2></summary>
${!isOpen && grid && html`<noscript><p><a href="${toOpenLink(title)}">Update these results</a></p></noscript>`}
${grid}
</details>`
}

interface TileOptions extends Pick<SharedPage, 'toMarkdown'> {
  readonly isTitled: boolean
}

async function tileSection(tile: PageTile, { toMarkdown, isTitled }: TileOptions): Promise<Html> {
  const { id, text, title, description, showsDescription, color, rows, note } = tile
  if (text !== null) {
    return html`<section class="tile" id="t${id}"><div class="text">${toMarkdown(text)}</div></section>`
  }
  const about = isTitled && description !== '' && html`<p class="about">${description}</p>`
  const dot = color && TILE_COLORS.includes(color) && html`<i class="dot ${color}"></i>`
  return html`<section class="tile" id="t${id}" ${isTitled ? html`aria-labelledby="t${id}-title"` : html`aria-label="${title}"`}>
${isTitled && html`<h2 id="t${id}-title">${dot || undefined}<span title="${title}">${title}</span></h2>`}
${showsDescription === true && about}
<div class="chart" data-tile="${id}">${renderChart(tile)}</div>
${note !== undefined && html`<p class="note">${note}</p>`}
${rows.length > 0 && html`<details><summary>Data</summary>${showsDescription === null && about}${await dataTable(title, rows)}</details>`}
</section>`
}

function renderChart({ svgs, message }: PageTile): Html {
  if (message !== undefined) return html`<p class="message">${message}</p>`
  if (svgs.length === 1) return { html: svgs[0] as string }
  const [wide, phone] = svgs.map((svg, index) =>
    svg.replace('<svg ', `<svg class="${index === 0 ? 'wide' : 'phone'}" `),
  )
  return { html: `${wide}${phone}` }
}
