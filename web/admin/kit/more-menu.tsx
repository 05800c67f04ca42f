/** Rarer actions behind one button. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { ChevronIcon } from './icons.tsx'
import * as button from '../../ui/button.module.css'
import * as parts from './parts.module.css'
import * as styles from './more-menu.module.css'

interface MoreAction {
  name: string
  isDestructive?: boolean
  onChoose: () => void
}

interface MoreMenuProps {
  label: string
  actions: readonly MoreAction[]
}

export function MoreMenu({ label, actions }: MoreMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    const leave = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setIsOpen(false)
    }
    addEventListener('pointerdown', leave)
    addEventListener('focusin', leave)
    return () => {
      removeEventListener('pointerdown', leave)
      removeEventListener('focusin', leave)
    }
  }, [isOpen])
  function close() {
    // A dialog returns the focus to the element that had it before.
    opener.current?.focus()
    setIsOpen(false)
  }
  return (
    <div
      class={styles.box}
      ref={box}
      onKeyDown={({ key }) => key === 'Escape' && isOpen && close()}
    >
      <button
        class={`${button.button} ${button.secondary} ${styles.opener}`}
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {label}
        <ChevronIcon />
      </button>
      <ul class={styles.actions} id={id} hidden={!isOpen}>
        {actions.map(({ name, isDestructive, onChoose }) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => {
                close()
                onChoose()
              }}
            >
              <span class={isDestructive ? parts.textDanger : undefined}>{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
