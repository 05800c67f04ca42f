/** Texts with a button to copy or download them: values, snippets and secrets. */
import { useMemo } from 'preact/hooks'
import { CopyButton as AnyCopyButton } from '../../ui/copy-button.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import * as copy from '../../ui/copy-button.module.css'
import * as styles from './copy.module.css'

const COPY_MESSAGES = {
  idle: 'Copy',
  copied: 'Copied',
  failed: 'Not copied',
  named: (what: string) => `Copy: ${what}`,
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  return <AnyCopyButton text={text} what={what} messages={COPY_MESSAGES} />
}

interface CopyRowProps {
  label: string
  text: string
  /** The same text in a form that is easier to read. */
  shown?: string
}

/** One line with its name and a button to copy it. */
export function CopyRow({ label, text, shown = text }: CopyRowProps) {
  return (
    <div class={styles.row}>
      <span class={styles.label}>{label}</span>
      <code>{shown}</code>
      <CopyButton text={text} what={label} />
    </div>
  )
}

interface SnippetProps {
  title: string
  text: string
  /** Values without a structure that a line break would hide. */
  isWrapped?: boolean
}

export function Snippet({ title, text, isWrapped }: SnippetProps) {
  return (
    <figure class={styles.snippet}>
      <figcaption>
        <span>{title}</span>
        <CopyButton text={text} what={title} />
      </figcaption>
      {/* It may be wider than the page, and only what has the focus can be scrolled by keyboard. */}
      <pre
        class={isWrapped ? styles.wrapped : undefined}
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <code>{text}</code>
      </pre>
    </figure>
  )
}

interface DownloadLinkProps {
  /** The content of the file. */
  text: string
  fileName: string
  label: string
}

/** Saves a text that the page already has. */
export function DownloadLink({ text, fileName, label }: DownloadLinkProps) {
  const file = useMemo(() => URL.createObjectURL(new Blob([text], { type: 'text/plain' })), [text])
  return (
    <a class={copy.copy} href={file} download={fileName}>
      <DownloadIcon />
      {label}
    </a>
  )
}
