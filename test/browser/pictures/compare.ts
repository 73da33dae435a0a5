import type { Page } from 'playwright-core'

/** Pictures are stored at half their size, which is enough to compare them. */
const SCALE = 0.5
const QUALITY = 0.8

/** The width of the squares whose mean colors are compared, in pixels of a stored picture. */
const BLOCK = 4
/** Antialiasing changes the mean color of a square by less than this, of 255. */
const MAX_COLOR_CHANGE = 12

/** Runs in the browser, which decodes and encodes pictures. A string, because Node's types have no canvas. */
const DRAW = `
  const draw = async (data, scale) => {
    const image = await createImageBitmap(await (await fetch(data)).blob())
    const [width, height] = [image.width * scale, image.height * scale].map(Math.round)
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, width, height)
    return { canvas, width, height, pixels: context.getImageData(0, 0, width, height).data }
  }
  const toData = async (canvas, quality) => {
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer())
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  }
`

/**
 * Runs in the browser. Compares the mean colors of squares, because the antialiasing of single pixels depends on the
 * machine. The most frequent color is the background, and squares that have it in both pictures do not count.
 */
export const BLOCKS = `
  const blocksOf = ({ pixels, width, height }) => {
    const blocks = []
    for (let y = 0; y + ${BLOCK} <= height; y += ${BLOCK}) {
      for (let x = 0; x + ${BLOCK} <= width; x += ${BLOCK}) {
        const sums = [0, 0, 0]
        for (let dy = 0; dy < ${BLOCK}; dy++) {
          for (let dx = 0; dx < ${BLOCK}; dx++) {
            for (let c = 0; c < 3; c++) sums[c] += pixels[((y + dy) * width + x + dx) * 4 + c]
          }
        }
        blocks.push(sums.map((sum) => sum / ${BLOCK ** 2}))
      }
    }
    return blocks
  }
  const differ = (a, b) => Math.max(...a.map((value, c) => Math.abs(value - b[c]))) > ${MAX_COLOR_CHANGE}
  const shareOfChanges = (one, two) => {
    const [a, b] = [blocksOf(one), blocksOf(two)]
    const counts = new Map()
    for (const block of a) counts.set(block.map(Math.round).join(), (counts.get(block.map(Math.round).join()) ?? 0) + 1)
    const background = [...counts].sort((x, y) => y[1] - x[1])[0][0].split(',').map(Number)
    let content = 0
    let changed = 0
    for (let i = 0; i < a.length; i++) {
      if (!differ(a[i], background) && !differ(b[i], background)) continue
      content++
      if (differ(a[i], b[i])) changed++
    }
    return content === 0 ? 1 : changed / content
  }
`

export const toUrl = (bytes: Buffer, type: string): string =>
  `data:image/${type};base64,${bytes.toString('base64')}`

/** Converts a screenshot to a small picture. */
export async function shrink(page: Page, screenshot: Buffer, scale = SCALE): Promise<Buffer> {
  const data = toUrl(screenshot, 'png')
  const encoded = await page.evaluate<string>(
    `(async () => { ${DRAW} return toData((await draw('${data}', ${scale})).canvas, ${QUALITY}) })()`,
  )
  return Buffer.from(encoded, 'base64')
}

/** Returns the share of squares with content, such as text, whose color differs. */
export function compare(page: Page, stored: Buffer, screenshot: Buffer): Promise<number> {
  const [before, now] = [toUrl(stored, 'webp'), toUrl(screenshot, 'png')]
  return page.evaluate<number>(`(async () => {
    ${DRAW} ${BLOCKS}
    const [one, two] = [await draw('${before}', 1), await draw('${now}', ${SCALE})]
    if (one.width !== two.width || one.height !== two.height) return 1
    return shareOfChanges(one, two)
  })()`)
}
