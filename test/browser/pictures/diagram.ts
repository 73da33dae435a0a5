import { fontStyle } from '#server/pictures/child/embedded-font.ts'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly title: string
  readonly about: string
  /** Several of them: drawn as a stack. */
  readonly isMany?: boolean
}

const HEIGHT = 64
const CLIENT = { x: 16, width: 200 }
const RUNNING = { x: 456, width: 208 }
const STORAGE = { x: 744, width: 200 }

const BOXES: Readonly<Record<string, Box>> = {
  browsers: { ...CLIENT, y: 16, title: 'Browsers', about: 'web app, shared pages' },
  clients: { ...CLIENT, y: 108, title: 'PostHog clients', about: 'send events' },
  api: { ...CLIENT, y: 200, title: 'API clients', about: 'scripts, CI' },
  proxy: { x: 268, y: 108, width: 140, title: 'Reverse proxy', about: 'TLS' },
  servers: {
    ...RUNNING,
    y: 108,
    title: 'hedgerow serve',
    about: 'API, web app, queries',
    isMany: true,
  },
  workers: {
    ...RUNNING,
    y: 232,
    title: 'hedgerow worker',
    about: 'import apps, deliveries',
    isMany: true,
  },
  folder: { ...STORAGE, y: 46, title: 'Data folder', about: 'for one server' },
  postgres: { ...STORAGE, y: 170, title: 'PostgreSQL', about: 'for any number of them' },
}

/** Arrows from the right edge of a box to the left edge of another. */
const ARROWS: readonly (readonly [string, string, 'or'?])[] = [
  ['browsers', 'proxy'],
  ['clients', 'proxy'],
  ['api', 'proxy'],
  ['proxy', 'servers'],
  ['servers', 'postgres'],
  ['workers', 'postgres'],
  ['servers', 'folder', 'or'],
]

const LOOK = `text{font-family:"Inter Variable",Inter,system-ui,sans-serif;fill:#1c2420}.title{font-size:15px;font-weight:600}.about{font-size:13px;fill:#5f6b65}.box{fill:#fff;stroke:#d5dbd7}.arrow{fill:none;stroke:#2f7d5b;stroke-width:1.5}.or{stroke-dasharray:4 4}.head{fill:#2f7d5b}@media (prefers-color-scheme: dark){text{fill:#e4e9e6}.about{fill:#98a39d}.box{fill:#1a1e1c;stroke:#343b38}.arrow{stroke:#74d3a6}.head{fill:#74d3a6}}`

const rect = ({ x, y, width }: Box, shift = 0): string =>
  `<rect class="box" x="${x + shift}" y="${y - shift}" width="${width}" height="${HEIGHT}" rx="12"/>`

function boxSvg(box: Box): string {
  const { x, y, title, about, isMany } = box
  return `${isMany ? rect(box, 6) : ''}${rect(box)}<text class="title" x="${x + 16}" y="${y + 28}">${title}</text><text class="about" x="${x + 16}" y="${y + 48}">${about}</text>`
}

function arrowSvg([from, to, kind]: (typeof ARROWS)[number]): string {
  const [start, end] = [BOXES[from] as Box, BOXES[to] as Box]
  const [x1, y1] = [start.x + start.width + (start.isMany ? 8 : 2), start.y + HEIGHT / 2]
  const [x2, y2] = [end.x - 8, end.y + HEIGHT / 2]
  const middle = (x1 + x2) / 2
  const path = `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
  return `<path class="arrow ${kind ?? ''}" d="${path}"/><path class="head" d="M${x2} ${y2 - 4}l7 4l-7 4z"/>`
}

/** Draws how clients, servers, workers and storage are connected, for light and dark pages. */
export const drawProduction = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 312" role="img"><title>Hedgerow in production</title>${fontStyle()}<style>${LOOK}</style>${ARROWS.map(arrowSvg).join('')}${Object.values(BOXES).map(boxSvg).join('')}</svg>\n`
