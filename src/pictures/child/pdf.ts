import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import SVGtoPDF from 'svg-to-pdfkit'
import { toLabel } from '#model/format.ts'
import type { DashboardPicture } from '../contract.ts'
import { FONT_FILES } from './fonts.ts'
import { type Sheet, toSvg } from './sheet.ts'

const A4 = { width: 595.28, height: 841.89 }

/** Creates a PDF with one page per sheet, as vector graphics with selectable text. */
export async function toPdf(
  sheets: readonly Sheet[],
  { title, takenAt }: Pick<DashboardPicture, 'title' | 'takenAt'>,
): Promise<Uint8Array> {
  const at = new Date(takenAt)
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    info: {
      Title: toLabel(title),
      Creator: 'Hedgerow',
      Producer: 'Hedgerow',
      // the time of the data, not of drawing, so that the same data gives the same file
      CreationDate: Number.isNaN(at.getTime()) ? new Date(0) : at,
    },
  })
  const bytes = buffer(doc)
  for (const [weight, file] of Object.entries(FONT_FILES)) doc.registerFont(weight, file)
  for (const sheet of sheets) {
    doc.addPage()
    const scale = A4.width / sheet.width
    SVGtoPDF(doc, toSvg(sheet, false), 0, 0, {
      width: A4.width,
      height: sheet.height * scale,
      assumePt: true,
      fontCallback: (_family, isBold) => (isBold ? '600' : '400'),
      warningCallback: () => undefined,
    })
  }
  doc.end()
  return new Uint8Array(await bytes)
}
