import { renderAsync } from '@resvg/resvg-js'
import { FONT_FILES, hasForeignLetters } from './fonts.ts'
import { type Sheet, toSvg } from './sheet.ts'

/** Four bytes each, several times over while it is drawn. */
const MOST_PIXELS = 24_000_000

/** Two pixels for each, or as many as memory allows. */
export async function toPng(sheet: Sheet): Promise<Uint8Array> {
  const { width, height, content } = sheet
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / (width * height)))
  const image = await renderAsync(toSvg(sheet), {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      // the machine's own fonts double the time: only for letters that Inter lacks
      loadSystemFonts: hasForeignLetters(content),
      fontFiles: Object.values(FONT_FILES),
      defaultFontFamily: 'Inter',
      sansSerifFamily: 'Inter',
    },
    logLevel: 'off',
  })
  return new Uint8Array(image.asPng())
}
