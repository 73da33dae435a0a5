let context: CanvasRenderingContext2D | null | undefined

/** ECharts uses the width of this character as the line height. */
const LINE = '国'

/**
 * Measures text for ECharts. A computer without a Chinese font shows a narrow box for `LINE`, so lines would overlap;
 * its width is that of a Chinese character instead.
 */
export function measureText(text: string, font = '12px sans-serif'): { readonly width: number } {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 12)
  if (text === LINE) return { width: size }
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return { width: text.length * size * 0.55 }
  context.font = font
  return context.measureText(text)
}
