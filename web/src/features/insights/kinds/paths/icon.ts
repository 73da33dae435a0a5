export { IconArrowsSplit2 as default } from '@tabler/icons-react'
