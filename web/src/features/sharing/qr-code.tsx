import { Stack, Text } from '@mantine/core'
import { encode } from 'uqr'
import classes from './sharing.module.css'

/** Always dark on white: not every phone reads inverted codes. */
export function QrCode({ link }: { readonly link: string }) {
  const { size, data } = encode(link, { ecc: 'M', border: 2 })
  const squares = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <Stack gap="xs" align="center">
      <svg
        className={classes.qr}
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label="QR code for the public link"
      >
        <rect width={size} height={size} className={classes.qrPaper} />
        <path d={squares} className={classes.qrInk} shapeRendering="crispEdges" />
      </svg>
      <Text size="sm" c="dimmed" ta="center">
        Scan to open the public link.
      </Text>
    </Stack>
  )
}
