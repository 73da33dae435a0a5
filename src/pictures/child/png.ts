import { renderAsync } from '@resvg/resvg-js'
import { FONT_FILES, hasForeignCharacters } from './fonts.ts'
import { type Sheet, toSvg } from './sheet.ts'

/** Limits memory: rendering takes several times 4 bytes per pixel. */
const MAX_PIXELS = 24_000_000

/** Renders at double resolution, or less if the limit on pixels requires it. */
export async function toPng(sheet: Sheet): Promise<Uint8Array> {
  const { width, height, content } = sheet
  const scale = Math.min(2, Math.sqrt(MAX_PIXELS / (width * height)))
  const image = await renderAsync(toSvg(sheet), {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      // doubles the time, so only for characters that Inter lacks
      loadSystemFonts: hasForeignCharacters(content),
      fontFiles: Object.values(FONT_FILES),
      defaultFontFamily: 'Inter',
      sansSerifFamily: 'Inter',
    },
    logLevel: 'off',
  })
  return new Uint8Array(image.asPng())
}
