import type { Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { BLOCKS, toUrl } from './compare.ts'

const ORIGIN = 'http://pdf.test'
const VIEWER =
  '<body style="margin:0"><embed src="/file.pdf#toolbar=0&navpanes=0&view=FitH" type="application/pdf" style="width:100vw;height:100vh">'

/** Opens a PDF in Chromium's viewer and returns a screenshot once nothing changes any more. */
export async function shootPdf(page: Page, pdf: Buffer): Promise<Buffer> {
  await page.route(`${ORIGIN}/*`, (route) =>
    route.request().url().endsWith('.pdf')
      ? route.fulfill({ contentType: 'application/pdf', body: pdf })
      : route.fulfill({ contentType: 'text/html', body: VIEWER }),
  )
  await page.goto(`${ORIGIN}/`)
  let before: Buffer = Buffer.alloc(0)
  return until(async () => {
    const now = await page.screenshot()
    const isStill = now.equals(before) && (await isDrawn(page, now))
    before = now
    return isStill ? now : undefined
  })
}

/** Runs in the browser: finds the sheet, which is light, in the viewer's dark surroundings. */
const SHEET = `
  const load = async (data) => createImageBitmap(await (await fetch(data)).blob())
  const read = (image, width, height, { x, y, w, h } = { x: 0, y: 0, w: image.width, h: image.height }) => {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, x, y, w, h, 0, 0, width, height)
    return { width, height, pixels: context.getImageData(0, 0, width, height).data }
  }
  const findSheet = (image, ratio) => {
    const { width, height, pixels } = read(image, image.width, image.height)
    const isLight = (x, y) => pixels[(y * width + x) * 4] > 250
    const rows = Array.from({ length: height }, (_, y) => y)
    const y = rows.find((row) => isLight(width / 2, row) && isLight(width / 4, row))
    const columns = Array.from({ length: width }, (_, x) => x)
    const light = columns.filter((x) => y !== undefined && isLight(x, y + 8))
    const w = light.length > 0 ? light.at(-1) - light[0] + 1 : 0
    return w > width / 2 ? { x: light[0], y, w, h: w * ratio } : undefined
  }
`

const isDrawn = (page: Page, screenshot: Buffer): Promise<boolean> =>
  page.evaluate<boolean>(
    `(async () => { ${SHEET}; return findSheet(await load('${toUrl(screenshot, 'png')}'), 1) !== undefined })()`,
  )

/** Returns the share of squares with content whose color differs between a picture and the sheet of a PDF. */
export function compareSheet(page: Page, picture: Buffer, screenshot: Buffer): Promise<number> {
  return page.evaluate<number>(`(async () => {
    ${SHEET};
    ${BLOCKS};
    const [picture, shot] = [await load('${toUrl(picture, 'png')}'), await load('${toUrl(screenshot, 'png')}')]
    const [width, height] = [picture.width / 6, picture.height / 6].map(Math.round)
    const sheet = findSheet(shot, picture.height / picture.width)
    return shareOfChanges(read(picture, width, height), read(shot, width, height, sheet))
  })()`)
}
