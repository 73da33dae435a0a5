import { Stack, Text } from '@mantine/core'
import { encode } from 'uqr'
import classes from './sharing.module.css'

/** Dark on white in either scheme: not every phone reads it the other way round. */
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
        aria-label="QR code of the public link"
      >
        <rect width={size} height={size} className={classes.qrPaper} />
        <path d={squares} className={classes.qrInk} shapeRendering="crispEdges" />
      </svg>
      <Text size="sm" c="dimmed" ta="center">
        Point a phone's camera at it to open the public link.
      </Text>
    </Stack>
  )
}
