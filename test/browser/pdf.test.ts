import { chromium } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { draw } from '#server/pictures/child/draw.ts'
import type { DashboardPicture } from '#server/pictures/contract.ts'
import { DASHBOARD } from '../pictures/dashboard.ts'
import { findChromium } from './find-chromium.ts'
import { compareSheet, shootPdf } from './pictures/pdf.ts'

/** Antialiasing changes 6% of the squares, Helvetica 12%, Times 18%. */
const TOLERANCE = 0.09

/** The sheets of a PDF are this wide. */
const WIDTH = 880

async function readBytes(task: Parameters<typeof draw>[0]): Promise<Buffer> {
  const drawn = await draw(task)
  if ('failure' in drawn) throw new Error(drawn.failure)
  return Buffer.from(drawn.picture as Uint8Array)
}

const toPng = (dashboard: DashboardPicture) =>
  readBytes({
    type: 'dashboardPng',
    dashboard,
    scheme: 'light',
    width: WIDTH,
    height: Math.floor(WIDTH * Math.SQRT2),
  })

it('the first page of a PDF looks as the picture of the same tiles', async () => {
  // the headless shell has no PDF viewer
  const executablePath = findChromium({ countsFrames: true })
  const browser = await chromium.launch({ executablePath, args: ['--disable-dev-shm-usage'] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1400, height: 2000 } })

  const pdf = await readBytes({ type: 'dashboardPdf', dashboard: DASHBOARD })
  const screenshot = await shootPdf(page, pdf)

  expect(await compareSheet(page, await toPng(DASHBOARD), screenshot)).toBeLessThan(TOLERANCE)
  const { tiles } = DASHBOARD
  const without = await toPng({ ...DASHBOARD, tiles: tiles.filter((_, at) => at !== 3) })
  expect(await compareSheet(page, without, screenshot)).toBeGreaterThan(TOLERANCE)
})
