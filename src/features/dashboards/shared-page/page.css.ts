import { COLUMNS, GAP, ROW_HEIGHT } from '#model/grid.ts'
import { paletteOf, TILE_COLORS, toAccent } from '#model/palette.ts'
import { chartHeight, phoneHeight } from './chart-sizes.ts'
import type { PageTile } from './page-tiles.ts'

const [light, dark] = [paletteOf('light'), paletteOf('dark')]

const themed = (name: 'canvas' | 'surface' | 'hairline' | 'text' | 'dimmed'): string =>
  `light-dark(${light[name]},${dark[name]})`

const dotRule = (color: string): string =>
  `.${color}{background:light-dark(${toAccent(light, color)},${toAccent(dark, color)})}`

const STYLE = `
:root{color-scheme:light dark;--canvas:${themed('canvas')};--surface:${themed('surface')};--hairline:${themed('hairline')};--text:${themed('text')};--dimmed:${themed('dimmed')};--brand:light-dark(#24684a,#8fd9b3)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--text);font:14px/1.5 Inter,system-ui,sans-serif;-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%}
a{color:var(--brand)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--brand);outline-offset:2px;border-radius:4px}
header,main,footer{max-width:2000px;margin:0 auto;padding:0 24px}
header{padding-top:24px;padding-bottom:16px}
h1{margin:0;font-size:22px;line-height:1.3;font-weight:600;letter-spacing:-.011em;overflow-wrap:anywhere}
header p{margin:4px 0 0;color:var(--dimmed);overflow-wrap:anywhere;white-space:pre-line}
header .when{font-size:13px}
main.bare{padding-top:16px}
.choices{display:flex;flex-wrap:wrap;align-items:end;gap:8px 12px;max-width:2000px;margin:0 auto;padding:0 24px 16px}
.choices p{display:grid;gap:2px;min-width:0;margin:0}
.choices label{color:var(--dimmed);font-size:12px}
.choices input,.choices select,.choices button{min-height:36px;max-width:100%;padding:6px 10px;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--hairline);border-radius:8px}
.choices button{padding:6px 14px;font-weight:600;cursor:pointer}
.choices a{line-height:36px}
.choices :focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.grid{display:grid;grid-template-columns:repeat(${COLUMNS},minmax(0,1fr));grid-auto-rows:minmax(${ROW_HEIGHT}px,auto);gap:${GAP}px}
.tile{display:flex;flex-direction:column;min-width:0;background:var(--surface);border:1px solid var(--hairline);border-radius:12px;box-shadow:0 1px 2px rgb(16 24 20/5%)}
.tile>h2{display:flex;align-items:center;gap:8px;margin:0;padding:12px 16px 8px;font-size:13px;line-height:20px;font-weight:600;letter-spacing:-.011em}
.tile>h2 span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.tile>.about{margin:0;padding:0 16px 8px;color:var(--dimmed);font-size:12px;overflow-wrap:anywhere}
.dot{flex:none;width:8px;height:8px;border-radius:50%}
${TILE_COLORS.map(dotRule).join('')}
.chart{position:relative;flex:1;margin:0 6px}
.chart>svg{position:absolute;inset:0;width:100%;height:100%}
.phone{display:none}
.note{margin:0;padding:4px 16px 8px;color:var(--dimmed);font-size:12px}
.message{display:grid;place-items:center;height:100%;min-height:inherit;margin:0;padding:0 16px;color:var(--dimmed);text-align:center}
details.section{margin-top:${GAP}px}
.section:first-child{margin-top:0}
.section>summary{display:flex;width:auto;align-items:center;gap:8px;padding:8px 0;border-bottom:1px solid var(--hairline);color:inherit;list-style:none}
.section>summary::-webkit-details-marker{display:none}
.section>summary::before{content:"";width:8px;height:8px;margin:0 4px;border:solid var(--dimmed);border-width:0 2px 2px 0;transform:rotate(-45deg)}
.section[open]>summary::before{transform:rotate(45deg)}
.section>summary h2{margin:0;font-size:16px;line-height:1.35;overflow-wrap:anywhere}
.section .grid{margin-top:${GAP}px}
.tile details{padding:0 16px 10px;font-size:12px}
.tile summary{width:fit-content;color:var(--dimmed);line-height:24px}
summary{cursor:pointer}
.tile details p{margin:4px 0 8px;overflow-wrap:anywhere}
.scroll{max-height:320px;overflow:auto;border:1px solid var(--hairline);border-radius:8px}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;text-align:left;white-space:nowrap;border-bottom:1px solid var(--hairline)}
tr:last-child td{border-bottom:0}
th{font-weight:500;color:var(--dimmed)}
td.number,th.number{text-align:right}
.text{padding:12px 16px;overflow-wrap:anywhere}
.text>:first-child{margin-top:0}.text>:last-child{margin-bottom:0}
.text h2,.text h3{margin:1em 0 .4em;font-size:16px;line-height:1.35}.text h4,.text h5,.text h6{margin:1em 0 .4em;font-size:14px}
.text p,.text ul,.text ol,.text pre,.text table,.text blockquote{margin:0 0 .8em}
.text pre,.text code{font:12px/1.5 ui-monospace,monospace;background:var(--canvas);border-radius:6px}.text code{padding:1px 4px}.text pre{padding:8px 12px;overflow:auto}
.text blockquote{padding-left:12px;border-left:3px solid var(--hairline);color:var(--dimmed)}
.empty{max-width:420px;margin:20vh auto 0;padding:0 24px;text-align:center}
.empty p{color:var(--dimmed)}
.empty form{display:grid;gap:8px;margin-top:24px;text-align:left}
.empty label{font-weight:500}
.empty input{padding:8px 12px;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--hairline);border-radius:8px}
.empty input:focus-visible,.empty button:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.empty .problem{margin:0;color:light-dark(#b42318,#ff9b90)}
.empty button{padding:9px 16px;font:inherit;font-weight:600;color:light-dark(#fff,#10231a);background:var(--brand);border:0;border-radius:8px;cursor:pointer}
footer{display:flex;flex-wrap:wrap;gap:4px 16px;padding-top:16px;padding-bottom:24px;font-size:12px;color:var(--dimmed)}
footer a{color:inherit}
footer span{margin-right:auto}
@media(max-width:720px){
header,main,footer{padding-left:12px;padding-right:12px}
header{padding-top:16px}
.choices{padding:0 12px 16px}
.choices p{flex:1 1 40%}
.choices button{flex:1 1 100%}
.grid{display:block}
.grid>.tile{margin-bottom:12px}
.wide{display:none}.phone{display:block}
}
@media print{.tile{break-inside:avoid}footer,.choices,.tile details:not([open]){display:none}}
`

/** Positions a tile by a rule, because the page's policy forbids style attributes. */
function toPositionRule({ id, position }: PageTile): string {
  const { x, y, w, h } = position
  const chart = `#t${id} .chart`
  return `#t${id}{grid-area:${y + 1}/${x + 1}/span ${h}/span ${w}}${chart}{min-height:${chartHeight(position)}px}@media(max-width:720px){${chart}{min-height:${phoneHeight(position)}px}}\n`
}

export const sharedPageStyles = (tiles: readonly PageTile[]): string =>
  STYLE + tiles.map(toPositionRule).join('')
