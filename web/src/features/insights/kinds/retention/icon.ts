export { IconGridDots as default } from '@tabler/icons-react'
