import {
  type BadgeProps,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeComponent,
  type MenuProps,
  type ModalProps,
  type NotificationProps,
  type PopoverProps,
  type TooltipProps,
} from '@mantine/core'

const hedge: MantineColorsTuple = [
  '#eef7f1',
  '#dcece3',
  '#b8d8c6',
  '#90c2a7',
  '#6dae8b',
  '#549f78',
  '#428e68',
  '#2f7d5b',
  '#24684a',
  '#174f37',
]

/** Green-tinted grays; Mantine's own are neutral. */
const dark: MantineColorsTuple = [
  '#e4e9e6',
  '#c3ccc7',
  '#98a39d',
  '#66716b',
  '#343b38',
  '#2c3230',
  '#202523',
  '#1a1e1c',
  '#141716',
  '#0f1211',
]

const HEADING = { fontWeight: '600', lineHeight: '1.3' }

/** Like `Modal.extend`, but without loading every dialog with the first page. */
function withDefaults<Props>(defaultProps: Partial<Props>): MantineThemeComponent {
  return { defaultProps }
}

/** One green, tinted grays, hairlines instead of shadows. */
export const theme = createTheme({
  respectReducedMotion: true,
  primaryColor: 'hedge',
  primaryShade: 7, // white text on it has 5.0:1
  colors: { hedge, dark },
  fontFamily: "'Inter Variable', Inter, system-ui, sans-serif",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '22px', ...HEADING },
      h2: { fontSize: '18px', ...HEADING },
      h3: { fontSize: '15px', ...HEADING },
    },
  },
  components: {
    Badge: withDefaults<BadgeProps>({ tt: 'none', fw: 500, variant: 'light' }),
    Drawer: { styles: { title: { fontWeight: 600 } } },
    Menu: withDefaults<MenuProps>({
      shadow: 'md',
      position: 'bottom-end',
      // the first item gets the focus, since a menu may contain only items
      withInitialFocusPlaceholder: false,
    }),
    Modal: {
      ...withDefaults<ModalProps>({
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.35, blur: 2 },
        closeButtonProps: { 'aria-label': 'Close' },
      }),
      styles: { title: { fontWeight: 600 } },
    },
    Notification: withDefaults<NotificationProps>({ closeButtonProps: { 'aria-label': 'Close' } }),
    // dropdowns of selects are popovers, too
    Popover: withDefaults<PopoverProps>({ shadow: 'md' }),
    Tooltip: withDefaults<TooltipProps>({ openDelay: 300, withArrow: true }),
  },
})
