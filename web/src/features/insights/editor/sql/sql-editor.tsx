import { sql } from '@codemirror/lang-sql'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Annotation, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import { readNonce } from '../../../../ui/nonce.ts'
import { completeFrom, type SqlNames } from './sql-completion.ts'
import classes from './sql-editor.module.css'

interface SqlEditorProps {
  readonly text: string
  readonly names: SqlNames
  readonly onChange: (text: string) => void
  /** With what stands there now: what was typed last may not be known outside yet. */
  readonly onRun: (text: string) => void
}

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--sql-keyword)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sql-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sql-number)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--mantine-color-dimmed)' },
])

/** On changes that nobody typed: a query that was opened, or taken back. */
const fromOutside = Annotation.define<boolean>()

/** Loaded when somebody writes SQL: it is as large as all of the rest. */
export default function SqlEditor(props: SqlEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  /** What the page was told and has not come back yet. */
  const told = useRef<string[]>([])
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    if (!place.current) return
    const language = sql({ upperCaseKeywords: false })
    const run = ({ state }: EditorView) => {
      latest.current.onRun(state.doc.toString())
      return true
    }
    const made = new EditorView({
      parent: place.current,
      doc: latest.current.text,
      extensions: [
        EditorView.cspNonce.of(readNonce()),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        basicSetup,
        language,
        language.language.data.of({ autocomplete: completeFrom(() => latest.current.names) }),
        syntaxHighlighting(colors),
        placeholder('select event, count() from events group by event'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'SQL query' }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (!docChanged || transactions.some((one) => one.annotation(fromOutside))) return
          const text = state.doc.toString()
          told.current.push(text)
          latest.current.onChange(text)
        }),
      ],
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    // what was typed comes back a little later, when more may have been typed: that is not to be taken away again
    const echo = told.current.lastIndexOf(props.text)
    told.current.splice(0, echo < 0 ? told.current.length : echo + 1)
    const doc = view.current?.state.doc.toString()
    if (echo >= 0 || doc === undefined || doc === props.text) return
    view.current?.dispatch({
      changes: { from: 0, to: doc.length, insert: props.text },
      annotations: fromOutside.of(true),
    })
  }, [props.text])

  return <div ref={place} className={classes.editor} />
}
