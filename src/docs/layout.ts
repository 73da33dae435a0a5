import { pluralize } from '#model/pluralize.ts'
import { type Html, html } from '#server/html/html.ts'
import type { Page, PageGroup } from './pages.ts'
import type { Hit } from './search.ts'

export interface Layout {
  readonly sections: readonly PageGroup[]
  /** The tags that load the built styles. */
  readonly styles: Html
}

interface Content {
  readonly title: string
  /** The path of the page below /docs; undefined for search results. */
  readonly path?: string
  readonly query?: string
  readonly content: Html
}

const toUrl = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`)

/** Puts content into the frame of the documentation: navigation, search, and the way back to the app. */
export function renderLayout(
  layout: Layout,
  { title, path, query = '', content }: Content,
): string {
  const navigation = renderNavigation(layout.sections, path)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Hedgerow documentation</title>
<link rel="icon" href="/favicon.svg">
${layout.styles}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/docs">Hedgerow <span>documentation</span></a>
<form class="search" action="/docs/search" role="search">
<input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search the documentation" maxlength="200">
<button>Search</button>
</form>
<a class="app" href="/">Open Hedgerow</a>
</header>
<div class="columns">
<details class="menu"><summary>All pages</summary>${navigation}</details>
<div class="side">${navigation}</div>
<main id="content" tabindex="-1">
${content}
${
  path !== undefined &&
  html`<footer><a href="${path === '' ? '/docs/index.md' : `/docs/${path}.md`}">This page as Markdown</a> <a href="/llms.txt">All pages for language models</a></footer>`
}
</main>
</div>
</body>
</html>
`.html
}

/** Opens the guides and the section of the current page, so that its link is in sight; the start page opens all. */
const isOpen = ({ name, pages }: PageGroup, current: string | undefined): boolean =>
  !current || name === 'Guides' || pages.some(({ path }) => path === current)

/** Lists the pages; decisions are listed only beside each other. */
function renderNavigation(sections: readonly PageGroup[], path: string | undefined): Html {
  const shown = sections.filter(({ name }) => name !== 'Decisions' || path?.startsWith('decisions'))
  return html`<nav aria-label="Documentation">${shown.map(
    (section) =>
      html`<details${isOpen(section, path) && html` open`}><summary><h2>${section.name}</h2></summary><ul>${section.pages.map(
        (page) => renderLink(page, path),
      )}</ul></details>`,
  )}</nav>`
}

const renderLink = ({ path, title }: Page, current: string | undefined): Html =>
  path === current
    ? html`<li><a href="${toUrl(path)}" aria-current="page">${title}</a></li>`
    : html`<li><a href="${toUrl(path)}">${title}</a></li>`

/** Lists what a search found. */
export function renderHits(query: string, hits: readonly Hit[]): Html {
  if (query.trim() === '') return html`<h1>Search</h1><p>Enter a word to find its pages.</p>`
  const count = pluralize(hits.length, 'result')
  return html`<h1>${count} for “${query}”</h1>
<ol class="hits">${hits.map(
    ({ page, heading, anchor, excerpt }) => html`<li>
<h2><a href="${toUrl(page.path)}${anchor && `#${anchor}`}">${heading}</a></h2>
<p class="path">${page.title}</p>
<p>${excerpt.map((piece, index) => (index % 2 ? html`<mark>${piece}</mark>` : piece))}</p>
</li>`,
  )}</ol>
${hits.length === 0 && html`<p>Try fewer or other words.</p>`}`
}
