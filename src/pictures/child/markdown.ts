/** The words of Markdown, a line each, and which of them are headings. */
export interface TextLine {
  readonly text: string
  readonly isHeading: boolean
}

/** Far more than a tile shows. */
const MOST = 20_000

export function toPlainLines(markdown: string): TextLine[] {
  const lines = markdown.slice(0, MOST).split(/\r\n|\r|\n/)
  return lines
    .filter((line) => !/^\s*(```|~~~|([-*_]\s*){3,}$)/.test(line))
    .map((line) => ({
      isHeading: /^\s{0,3}#{1,6}\s/.test(line),
      text: toPlainText(line.replace(/^\s{0,3}(#{1,6}\s+|>\s?)/, '').replace(/^\s*[-*+]\s+/, '• ')),
    }))
}

const toPlainText = (line: string): string =>
  line
    .replace(/!?\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(?=\S)([^*_~`\n]{1,500})\1/g, '$2')
    .replace(/(^|[\s(])[*_](?=\S)([^*_\n]{1,500})[*_](?=$|[\s).,;:!?])/g, '$1$2')
    .trim()
