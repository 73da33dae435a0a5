import { generate } from 'lean-qr'
import classes from './qr-code.module.css'

/** The white frame that cameras need, in modules. */
const FRAME = 4

/** Draws a QR code in this browser: its text is sent nowhere. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text)
  const side = code.size + 2 * FRAME
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-FRAME} ${-FRAME} ${side} ${side}`}
      className={classes.code}
    >
      <rect x={-FRAME} y={-FRAME} width={side} height={side} fill="#fff" />
      <path d={toPath(code)} fill="#000" />
    </svg>
  )
}

/** A square for each black module. */
function toPath(code: ReturnType<typeof generate>): string {
  let path = ''
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`
  }
  return path
}
